class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_sink_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_sink_proj_parameters_weight_"
    shape = [4, 384]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00217895
    std = 0.08511


class Program_weight_tensor_meta_L_self_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_q_l2_clip_parameters_scale_:
    name = "in_1"
    original_name = "L_self_modules_language_model_modules_layers_modules_5_modules_self_attn_modules_q_l2_clip_parameters_scale_"
    shape = [4, 128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.996608
    std = 0.186297


class Program_weight_tensor_meta_tmp_3:
    name = "in_2"
    original_name = "tmp_3"
    shape = [1, 16]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 15
    min_val = 0


class Program_weight_tensor_meta_tmp_1337:
    name = "in_3"
    original_name = "tmp_1337"
    shape = [16, 16, 384]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0240453
    std = 1.01676


class Program_weight_tensor_meta_tmp_1356:
    name = "in_4"
    original_name = "tmp_1356"
    shape = [16, 16, 512]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00316799
    std = 1.62722


class Program_weight_tensor_meta_tmp_1381:
    name = "in_5"
    original_name = "tmp_1381"
    shape = [16, 16, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00957758
    std = 1.3288
