class Program_weight_tensor_meta_L_self_modules_pixel_level_module_modules_encoder_modules_model_modules_encoder_modules_layers_modules_0_modules_blocks_modules_1_modules_layernorm_after_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_pixel_level_module_modules_encoder_modules_model_modules_encoder_modules_layers_modules_0_modules_blocks_modules_1_modules_layernorm_after_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00824
    std = 0.191969


class Program_weight_tensor_meta_L_self_modules_pixel_level_module_modules_encoder_modules_model_modules_encoder_modules_layers_modules_0_modules_blocks_modules_1_modules_layernorm_after_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_pixel_level_module_modules_encoder_modules_model_modules_encoder_modules_layers_modules_0_modules_blocks_modules_1_modules_layernorm_after_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0239359
    std = 0.175789


class Program_weight_tensor_meta_tmp_52:
    name = "in_2"
    original_name = "tmp_52"
    shape = [2, 9216, 128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_125:
    name = "in_3"
    original_name = "tmp_125"
    shape = [2, 8, 12, 8, 12, 128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000
    std = 1.000
