class Program_weight_tensor_meta_matmul:
    name = "in_0"
    original_name = "matmul"
    shape = [1, 8, 32, 32]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.9639
    std = 385.723
