class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_0"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_mean_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00944645
    std = 0.198863


class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_var_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_buffers_running_var_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01783
    std = 0.308281


class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_weight_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.95252
    std = 0.211691


class Program_weight_tensor_meta_L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_blocks_modules_2_modules_0_modules_bn2_parameters_bias_"
    shape = [96]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00133815
    std = 0.171366


class Program_weight_tensor_meta_x_29:
    name = "in_4"
    original_name = "x_29"
    shape = [8, 96, 14, 14]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0264126
    std = 0.64107
