class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_0"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00494599
    std = 0.231215


class Program_weight_tensor_meta_x:
    name = "in_1"
    original_name = "x"
    shape = [1, 64, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0189614
    std = 0.319533


class Program_weight_tensor_meta_group_norm:
    name = "in_2"
    original_name = "group_norm"
    shape = [1, 64, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00927804
    std = 1.04344
