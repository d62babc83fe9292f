class Program_weight_tensor_meta_matmul:
    name = "in_0"
    original_name = "matmul"
    shape = [1, 8, 32, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.96377
    std = 385.722
