class Program_weight_tensor_meta_linear_2:
    name = "in_0"
    original_name = "linear_2"
    shape = [4, 64, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0351644
    std = 1.42719
