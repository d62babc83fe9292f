class Program_weight_tensor_meta_A:
    name = "in_0"
    original_name = "A"
    shape = [128, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = -8.47975
    std = 4.59035


class Program_weight_tensor_meta_transpose_3:
    name = "in_1"
    original_name = "transpose_3"
    shape = [1, 128, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0738284
    std = 0.25841


class Program_weight_tensor_meta_dt_1:
    name = "in_2"
    original_name = "dt_1"
    shape = [1, 128, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0262088
    std = 0.0291637


class Program_weight_tensor_meta_B_1:
    name = "in_3"
    original_name = "B_1"
    shape = [1, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0673549
    std = 0.284669
