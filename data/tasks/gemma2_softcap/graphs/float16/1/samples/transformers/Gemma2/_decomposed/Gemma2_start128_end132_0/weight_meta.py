class Program_weight_tensor_meta_matmul:
    name = "in_0"
    original_name = "matmul"
    shape = [4, 8, 128, 128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.39533
    std = 382.717
