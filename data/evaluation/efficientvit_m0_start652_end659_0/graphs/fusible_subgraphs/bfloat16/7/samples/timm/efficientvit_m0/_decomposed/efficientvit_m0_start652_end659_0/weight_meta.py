class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_conv_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_conv_parameters_weight_"
    shape = [192, 384, 1, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000320578
    std = 0.0295238


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_buffers_running_mean_:
    name = "in_1"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_buffers_running_mean_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00177645
    std = 0.202065


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_buffers_running_var_:
    name = "in_2"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_buffers_running_var_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00115
    std = 0.278655


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_parameters_weight_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00304052
    std = 0.230901


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_ffn1_modules_m_modules_pw2_modules_bn_parameters_bias_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0303445
    std = 0.184374


class Program_weight_tensor_meta_L_self_modules_head_modules_bn_buffers_running_mean_:
    name = "in_5"
    original_name = "L_self_modules_head_modules_bn_buffers_running_mean_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.018442
    std = 0.189277


class Program_weight_tensor_meta_L_self_modules_head_modules_bn_buffers_running_var_:
    name = "in_6"
    original_name = "L_self_modules_head_modules_bn_buffers_running_var_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00933
    std = 0.299023


class Program_weight_tensor_meta_L_self_modules_head_modules_bn_parameters_weight_:
    name = "in_7"
    original_name = "L_self_modules_head_modules_bn_parameters_weight_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00212
    std = 0.197397


class Program_weight_tensor_meta_L_self_modules_head_modules_bn_parameters_bias_:
    name = "in_8"
    original_name = "L_self_modules_head_modules_bn_parameters_bias_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0239195
    std = 0.188694


class Program_weight_tensor_meta_tmp_648:
    name = "in_9"
    original_name = "tmp_648"
    shape = [16, 192, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0189509
    std = 0.777138


class Program_weight_tensor_meta_tmp_651:
    name = "in_10"
    original_name = "tmp_651"
    shape = [16, 384, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.194236
    std = 0.314149
