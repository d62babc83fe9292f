class Program_weight_tensor_meta_values_1:
    name = "in_0"
    original_name = "values_1"
    shape = [1, 4, 128, 128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0117276
    std = 0.0869189


class Program_weight_tensor_meta_matmul:
    name = "in_1"
    original_name = "matmul"
    shape = [4, 4, 128, 128]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00134702
    std = 1.03022
