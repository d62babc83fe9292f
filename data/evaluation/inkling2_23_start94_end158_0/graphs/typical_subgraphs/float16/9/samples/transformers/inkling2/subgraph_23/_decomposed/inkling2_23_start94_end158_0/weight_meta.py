class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_r_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_r_proj_parameters_weight_"
    shape = [64, 384]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000192759
    std = 0.0810474


class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_gate_proj_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_gate_proj_parameters_weight_"
    shape = [512, 384]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.99144e-05
    std = 0.0815224


class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_sink_proj_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_sink_proj_parameters_weight_"
    shape = [4, 384]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00137051
    std = 0.0812386


class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_q_l2_clip_parameters_scale_:
    name = "in_3"
    original_name = "L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_q_l2_clip_parameters_scale_"
    shape = [4, 128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00128
    std = 0.200209


class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_rel_l2_clip_parameters_scale_:
    name = "in_4"
    original_name = "L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_rel_l2_clip_parameters_scale_"
    shape = [4, 16]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.95946
    std = 0.227749


class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_rel_logits_proj_parameters_proj_:
    name = "in_5"
    original_name = "L_self_modules_language_model_modules_layers_modules_0_modules_self_attn_modules_rel_logits_proj_parameters_proj_"
    shape = [16, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000142498
    std = 0.0803752


class Program_weight_tensor_meta_tmp_62:
    name = "in_6"
    original_name = "tmp_62"
    shape = [2, 51, 384]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0349178
    std = 1.00619


class Program_weight_tensor_meta_tmp_63:
    name = "in_7"
    original_name = "tmp_63"
    shape = [2, 51, 512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00606991
    std = 1.61406


class Program_weight_tensor_meta_tmp_79:
    name = "in_8"
    original_name = "tmp_79"
    shape = [2, 51, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00519003
    std = 0.724294


class Program_weight_tensor_meta_tmp_93:
    name = "in_9"
    original_name = "tmp_93"
    shape = [2, 51, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00309656
    std = 1.63819
