class Program_weight_tensor_meta_x_18:
    name = "in_0"
    original_name = "x_18"
    shape = [1, 28, 28, 48]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00804449
    std = 1.04667


class Program_weight_tensor_meta_x_23:
    name = "in_1"
    original_name = "x_23"
    shape = [16, 49, 48]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0105579
    std = 0.229118
