class Program_weight_tensor_meta_tmp_112:
    name = "in_0"
    original_name = "tmp_112"
    shape = [256, 512]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0155403
    std = 1.02981


class Program_weight_tensor_meta_tmp_118:
    name = "in_1"
    original_name = "tmp_118"
    shape = [256, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.000
    std = 0.000


class Program_weight_tensor_meta_tmp_119:
    name = "in_2"
    original_name = "tmp_119"
    shape = [256, 1]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 0
    min_val = 0
