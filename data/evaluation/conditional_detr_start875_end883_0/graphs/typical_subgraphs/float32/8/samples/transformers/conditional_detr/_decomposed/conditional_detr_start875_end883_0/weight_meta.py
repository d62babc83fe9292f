class Program_weight_tensor_meta_tmp_874:
    name = "in_0"
    original_name = "tmp_874"
    shape = [16, 4096, 2]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.534722
    std = 0.0625379
