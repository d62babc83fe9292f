class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_o_a_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_o_a_proj_parameters_weight_"
    shape = [8192, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00012439
    std = 0.0999008


class Program_weight_tensor_meta_tmp_52:
    name = "in_1"
    original_name = "tmp_52"
    shape = [1, 16, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.78967
    std = 0.494232


class Program_weight_tensor_meta_tmp_53:
    name = "in_2"
    original_name = "tmp_53"
    shape = [1, 16, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.122884
    std = 0.343105


class Program_weight_tensor_meta_tmp_211:
    name = "in_3"
    original_name = "tmp_211"
    shape = [256, 16, 4, 512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0156761
    std = 0.475404
