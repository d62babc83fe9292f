class Program_weight_tensor_meta_tmp_73:
    name = "in_0"
    original_name = "tmp_73"
    shape = [1, 7]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 11
    min_val = 0


class Program_weight_tensor_meta_tmp_74:
    name = "in_1"
    original_name = "tmp_74"
    shape = [1, 7]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.142857
    std = 0.000614985


class Program_weight_tensor_meta_tmp_75:
    name = "in_2"
    original_name = "tmp_75"
    shape = [2, 24, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0264588
    std = 0.223103


class Program_weight_tensor_meta_tmp_79:
    name = "in_3"
    original_name = "tmp_79"
    shape = [2, 256, 32]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 11
    min_val = 0


class Program_weight_tensor_meta_iadd_3:
    name = "in_4"
    original_name = "iadd_3"
    shape = [2, 256, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0151622
    std = 0.103076
