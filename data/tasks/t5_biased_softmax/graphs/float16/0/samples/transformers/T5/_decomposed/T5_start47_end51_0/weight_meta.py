class Program_weight_tensor_meta_values_1:
    name = "in_0"
    original_name = "values_1"
    shape = [1, 4, 64, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00379614
    std = 0.0967402


class Program_weight_tensor_meta_matmul:
    name = "in_1"
    original_name = "matmul"
    shape = [1, 4, 64, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0064737
    std = 1.05383
