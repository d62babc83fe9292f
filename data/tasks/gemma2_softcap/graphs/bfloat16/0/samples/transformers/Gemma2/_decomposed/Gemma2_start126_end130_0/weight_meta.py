class Program_weight_tensor_meta_matmul:
    name = "in_0"
    original_name = "matmul"
    shape = [1, 8, 32, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -3.970
    std = 385.756
