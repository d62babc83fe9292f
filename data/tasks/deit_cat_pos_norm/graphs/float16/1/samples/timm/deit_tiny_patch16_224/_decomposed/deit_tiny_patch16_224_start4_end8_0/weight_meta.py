class Program_weight_tensor_meta_L_self_parameters_pos_embed_:
    name = "in_0"
    original_name = "L_self_parameters_pos_embed_"
    shape = [1, 197, 192]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.0649e-05
    std = 0.0198993


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [192]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.98296
    std = 0.18027


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [192]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0243213
    std = 0.20045


class Program_weight_tensor_meta_x_1:
    name = "in_3"
    original_name = "x_1"
    shape = [8, 196, 192]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000406976
    std = 0.577591


class Program_weight_tensor_meta_expand:
    name = "in_4"
    original_name = "expand"
    shape = [8, 1, 192]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.72605e-07
    std = 9.4746e-07
