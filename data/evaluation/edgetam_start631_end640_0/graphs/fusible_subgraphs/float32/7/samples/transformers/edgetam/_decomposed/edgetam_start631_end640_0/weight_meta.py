class Program_weight_tensor_meta_tmp_20:
    name = "in_0"
    original_name = "tmp_20"
    shape = [16, 256, 16, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_589:
    name = "in_1"
    original_name = "tmp_589"
    shape = [16, 256, 16, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_626:
    name = "in_2"
    original_name = "tmp_626"
    shape = [16, 256, 16, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000
    std = 1.000
