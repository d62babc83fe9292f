class Program_weight_tensor_meta_tmp_387:
    name = "in_0"
    original_name = "tmp_387"
    shape = [1, 1, 256, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -161898999999999996936574482788680466432.000
    std = 170088999999999997199882349905772019712.000


class Program_weight_tensor_meta_tmp_390:
    name = "in_1"
    original_name = "tmp_390"
    shape = [1, 256, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00054883
    std = 0.0688567


class Program_weight_tensor_meta_tmp_394:
    name = "in_2"
    original_name = "tmp_394"
    shape = [1, 4, 256, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00357832
    std = 0.554121


class Program_weight_tensor_meta_tmp_397:
    name = "in_3"
    original_name = "tmp_397"
    shape = [1, 4, 256, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0410944
    std = 0.553443
