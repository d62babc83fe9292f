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
    shape = [4, 128, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.077834
    std = 0.273644


class Program_weight_tensor_meta_dt_1:
    name = "in_2"
    original_name = "dt_1"
    shape = [4, 128, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0263895
    std = 0.0295684


class Program_weight_tensor_meta_B_1:
    name = "in_3"
    original_name = "B_1"
    shape = [4, 64, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0792584
    std = 0.313705
