class Program_weight_tensor_meta_L_self_modules_encoder_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [2048, 1152]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.16727e-05
    std = 0.0200058


class Program_weight_tensor_meta_L_self_modules_encoder_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_q_norm_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_q_norm_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00006
    std = 0.196371


class Program_weight_tensor_meta_tmp_114:
    name = "in_2"
    original_name = "tmp_114"
    shape = [1, 16, 512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.391384
    std = 0.671179


class Program_weight_tensor_meta_tmp_115:
    name = "in_3"
    original_name = "tmp_115"
    shape = [1, 16, 512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.162637
    std = 0.60826


class Program_weight_tensor_meta_tmp_1091:
    name = "in_4"
    original_name = "tmp_1091"
    shape = [256, 16, 1152]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0113454
    std = 1.02578
