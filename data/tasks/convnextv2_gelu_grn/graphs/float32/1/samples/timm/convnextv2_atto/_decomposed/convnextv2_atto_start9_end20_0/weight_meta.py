class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_grn_parameters_bias_:
    name = "in_0"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_grn_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00692989
    std = 0.198129


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_grn_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_grn_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00682186
    std = 0.201362


class Program_weight_tensor_meta_x_7:
    name = "in_2"
    original_name = "x_7"
    shape = [8, 160, 16, 16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00281244
    std = 0.254498
