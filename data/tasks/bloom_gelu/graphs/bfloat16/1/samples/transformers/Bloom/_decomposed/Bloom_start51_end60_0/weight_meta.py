class Program_weight_tensor_meta_linear_2:
    name = "in_0"
    original_name = "linear_2"
    shape = [4, 64, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0350298
    std = 1.42731
