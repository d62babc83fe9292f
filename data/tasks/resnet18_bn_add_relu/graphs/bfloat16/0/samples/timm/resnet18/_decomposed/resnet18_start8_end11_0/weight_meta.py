class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_0"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0268602
    std = 0.235685


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_buffers_running_var_:
    name = "in_1"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.971741
    std = 0.280265


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0223684
    std = 0.206849


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0129532
    std = 0.205472


class Program_weight_tensor_meta_x_3:
    name = "in_4"
    original_name = "x_3"
    shape = [1, 64, 28, 28]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.477356
    std = 0.361315


class Program_weight_tensor_meta_x_7:
    name = "in_5"
    original_name = "x_7"
    shape = [1, 64, 28, 28]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.035758
    std = 0.924434
