class Program_weight_tensor_meta_A:
    name = "in_0"
    original_name = "A"
    shape = [128, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = -8.500
    std = 4.6109


class Program_weight_tensor_meta_transpose_3:
    name = "in_1"
    original_name = "transpose_3"
    shape = [1, 128, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0738795
    std = 0.258554


class Program_weight_tensor_meta_dt_1:
    name = "in_2"
    original_name = "dt_1"
    shape = [1, 128, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0262041
    std = 0.0291525


class Program_weight_tensor_meta_B_1:
    name = "in_3"
    original_name = "B_1"
    shape = [1, 16, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0674981
    std = 0.28488
