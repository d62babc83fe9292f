class Program_weight_tensor_meta_tmp_144:
    name = "in_0"
    original_name = "tmp_144"
    shape = [1, 256, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00010889
    std = 0.118872


class Program_weight_tensor_meta_tmp_145:
    name = "in_1"
    original_name = "tmp_145"
    shape = [1, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00369426
    std = 0.206037


class Program_weight_tensor_meta_tmp_146:
    name = "in_2"
    original_name = "tmp_146"
    shape = [1, 1, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00373988
    std = 1.01743
