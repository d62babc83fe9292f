class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_0"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0269145
    std = 0.235702


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_buffers_running_var_:
    name = "in_1"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.971603
    std = 0.280232


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0222967
    std = 0.206783


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0129368
    std = 0.205499


class Program_weight_tensor_meta_x_3:
    name = "in_4"
    original_name = "x_3"
    shape = [8, 64, 28, 28]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.475335
    std = 0.360906


class Program_weight_tensor_meta_x_7:
    name = "in_5"
    original_name = "x_7"
    shape = [8, 64, 28, 28]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0379155
    std = 0.929027
