class Program_weight_tensor_meta_x_5:
    name = "in_0"
    original_name = "x_5"
    shape = [1, 16, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0141186
    std = 1.40666
