class Program_weight_tensor_meta_matmul:
    name = "in_0"
    original_name = "matmul"
    shape = [4, 8, 128, 128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.3944
    std = 382.724
