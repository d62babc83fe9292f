class Program_weight_tensor_meta_L_self_parameters_pos_embed_:
    name = "in_0"
    original_name = "L_self_parameters_pos_embed_"
    shape = [1, 197, 192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.06668e-05
    std = 0.0198992


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.982967
    std = 0.180284


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0243219
    std = 0.200453


class Program_weight_tensor_meta_x_1:
    name = "in_3"
    original_name = "x_1"
    shape = [1, 196, 192]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00361709
    std = 0.577948


class Program_weight_tensor_meta_expand:
    name = "in_4"
    original_name = "expand"
    shape = [1, 1, 192]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.72664e-07
    std = 9.46515e-07
