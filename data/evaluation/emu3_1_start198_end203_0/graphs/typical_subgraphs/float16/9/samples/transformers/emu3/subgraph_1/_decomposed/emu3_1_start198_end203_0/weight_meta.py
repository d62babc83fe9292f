class Program_weight_tensor_meta_L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_buffers_running_mean_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_buffers_running_mean_"
    shape = [4]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0914314
    std = 0.121385
    data = [-0.16671879589557648, -0.13733242452144623, 0.08975434303283691, -0.151428684592247]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_buffers_running_var_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_buffers_running_var_"
    shape = [4]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.823248
    std = 0.160196
    data = [0.6050756573677063, 0.9471336007118225, 0.8011218309402466, 0.9396620392799377]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_parameters_weight_"
    shape = [4]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.06253
    std = 0.145576
    data = [0.8758034110069275, 1.1082305908203125, 1.041731595993042, 1.224360704421997]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_encoder_modules_time_res_stack_modules_0_modules_norm1_parameters_bias_"
    shape = [4]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00908321
    std = 0.0947053
    data = [0.1478859782218933, -0.023789910599589348, -0.022088181227445602, -0.0656750351190567]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_time_res_stack_modules_0_modules_conv1_modules_conv_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_encoder_modules_time_res_stack_modules_0_modules_conv1_modules_conv_parameters_weight_"
    shape = [4, 4, 3, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00100223
    std = 0.138743


class Program_weight_tensor_meta_L_self_modules_encoder_modules_time_res_stack_modules_0_modules_conv1_modules_conv_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_encoder_modules_time_res_stack_modules_0_modules_conv1_modules_conv_parameters_bias_"
    shape = [4]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0397187
    std = 0.0598558
    data = [-0.00024720976944081485, 0.09581977874040604, 0.08584239333868027, -0.022539978846907616]


class Program_weight_tensor_meta_imul_22:
    name = "in_6"
    original_name = "imul_22"
    shape = [2, 4, 1, 8, 8]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.03082
    std = 1.69296
