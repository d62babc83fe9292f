class Program_weight_tensor_meta_A:
    name = "in_0"
    original_name = "A"
    shape = [128, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = -8.50176
    std = 4.61239


class Program_weight_tensor_meta_transpose_3:
    name = "in_1"
    original_name = "transpose_3"
    shape = [4, 128, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0778778
    std = 0.273748


class Program_weight_tensor_meta_dt_1:
    name = "in_2"
    original_name = "dt_1"
    shape = [4, 128, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0263915
    std = 0.0295632


class Program_weight_tensor_meta_B_1:
    name = "in_3"
    original_name = "B_1"
    shape = [4, 64, 16]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0793227
    std = 0.313805
