class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_kv_b_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_kv_b_proj_parameters_weight_"
    shape = [1792, 512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.63935e-05
    std = 0.0853533


class Program_weight_tensor_meta_tmp_431:
    name = "in_1"
    original_name = "tmp_431"
    shape = [1, 4096, 4096]
    dtype = "torch.int32"
    device = "cpu"
    mean = None
    std = None
    max_val = 4095
    min_val = 0


class Program_weight_tensor_meta_tmp_644:
    name = "in_2"
    original_name = "tmp_644"
    shape = [1, 1, 4096, 512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00155464
    std = 0.987482


class Program_weight_tensor_meta_tmp_661:
    name = "in_3"
    original_name = "tmp_661"
    shape = [1, 1, 4096, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00720392
    std = 1.67378
