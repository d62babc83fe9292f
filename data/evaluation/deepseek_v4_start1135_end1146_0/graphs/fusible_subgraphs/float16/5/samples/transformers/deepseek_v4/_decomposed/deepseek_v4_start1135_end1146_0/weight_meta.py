class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_compressor_parameters_position_bias_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_compressor_parameters_position_bias_"
    shape = [4, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000966889
    std = 0.199311


class Program_weight_tensor_meta_tmp_1133:
    name = "in_1"
    original_name = "tmp_1133"
    shape = [256, 4, 4, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0370429
    std = 1.66791


class Program_weight_tensor_meta_tmp_1134:
    name = "in_2"
    original_name = "tmp_1134"
    shape = [256, 4, 4, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.013749
    std = 1.64296
