class Program_weight_tensor_meta_tmp_125:
    name = "in_0"
    original_name = "tmp_125"
    shape = [16, 4096, 16]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.199529
    std = 0.114099
