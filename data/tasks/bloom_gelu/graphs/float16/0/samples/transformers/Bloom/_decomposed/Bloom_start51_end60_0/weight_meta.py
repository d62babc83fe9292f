class Program_weight_tensor_meta_linear_2:
    name = "in_0"
    original_name = "linear_2"
    shape = [1, 16, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0425367
    std = 1.44607
