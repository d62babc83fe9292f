class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_attn_modules_conv_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_attn_modules_conv_parameters_weight_"
    shape = [1, 1, 5]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.171023
    std = 0.229559
    data = [-0.340721994638443, 0.13507649302482605, 0.012511796317994595, -0.28957700729370117, -0.3724055290222168]


class Program_weight_tensor_meta_tmp_27:
    name = "in_1"
    original_name = "tmp_27"
    shape = [16, 256, 16, 16]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.455723
    std = 0.789092
