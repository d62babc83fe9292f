class Program_weight_tensor_meta_tmp_69:
    name = "in_0"
    original_name = "tmp_69"
    shape = [1, 256, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_70:
    name = "in_1"
    original_name = "tmp_70"
    shape = [1, 256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000
