class Program_weight_tensor_meta_L_self_modules_head_modules_in_conv_modules_conv_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_head_modules_in_conv_modules_conv_parameters_weight_"
    shape = [1536, 256, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 6.18245e-06
    std = 0.0360937


class Program_weight_tensor_meta_L_self_modules_head_modules_in_conv_modules_norm_buffers_running_mean_:
    name = "in_1"
    original_name = "L_self_modules_head_modules_in_conv_modules_norm_buffers_running_mean_"
    shape = [1536]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00241152
    std = 0.197346


class Program_weight_tensor_meta_L_self_modules_head_modules_in_conv_modules_norm_buffers_running_var_:
    name = "in_2"
    original_name = "L_self_modules_head_modules_in_conv_modules_norm_buffers_running_var_"
    shape = [1536]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.99871
    std = 0.287172


class Program_weight_tensor_meta_L_self_modules_head_modules_in_conv_modules_norm_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_head_modules_in_conv_modules_norm_parameters_weight_"
    shape = [1536]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00309
    std = 0.196076


class Program_weight_tensor_meta_L_self_modules_head_modules_in_conv_modules_norm_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_head_modules_in_conv_modules_norm_parameters_bias_"
    shape = [1536]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00764225
    std = 0.20119


class Program_weight_tensor_meta_L_self_modules_head_modules_pre_classifier_modules_linear_parameters_weight_:
    name = "in_5"
    original_name = "L_self_modules_head_modules_pre_classifier_modules_linear_parameters_weight_"
    shape = [1600, 1536]
    dtype = "torch.float32"
    device = "cpu"
    mean = 8.89153e-08
    std = 0.0147354


class Program_weight_tensor_meta_L_self_modules_head_modules_pre_classifier_modules_norm_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_head_modules_pre_classifier_modules_norm_parameters_weight_"
    shape = [1600]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00566
    std = 0.19637


class Program_weight_tensor_meta_L_self_modules_head_modules_pre_classifier_modules_norm_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_head_modules_pre_classifier_modules_norm_parameters_bias_"
    shape = [1600]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00190361
    std = 0.202287


class Program_weight_tensor_meta_tmp_150:
    name = "in_8"
    original_name = "tmp_150"
    shape = [1, 256, 16, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0445036
    std = 0.724547
