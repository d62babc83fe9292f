class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_0"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_mean_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00941386
    std = 0.198849


class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_var_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_var_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01819
    std = 0.308599


class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_weight_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.952413
    std = 0.211648


class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_bias_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00136734
    std = 0.171399


class Program_weight_tensor_meta_x_29:
    name = "in_4"
    original_name = "x_29"
    shape = [8, 96, 14, 14]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0267245
    std = 0.643347
