class Program_weight_tensor_meta_tmp_590:
    name = "in_0"
    original_name = "tmp_590"
    shape = [16, 1, 1, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000
