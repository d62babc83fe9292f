class Program_weight_tensor_meta_linear_2:
    name = "in_0"
    original_name = "linear_2"
    shape = [1, 16, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.042534
    std = 1.44612
