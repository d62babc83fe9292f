class Program_weight_tensor_meta_L_self_parameters_pos_embed_:
    name = "in_0"
    original_name = "L_self_parameters_pos_embed_"
    shape = [1, 197, 192]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 3.05306e-05
    std = 0.0198995


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [192]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.983042
    std = 0.180326


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [192]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0243216
    std = 0.200462


class Program_weight_tensor_meta_x_1:
    name = "in_3"
    original_name = "x_1"
    shape = [8, 196, 192]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000409249
    std = 0.577586


class Program_weight_tensor_meta_expand:
    name = "in_4"
    original_name = "expand"
    shape = [8, 1, 192]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.72532e-07
    std = 9.44079e-07
