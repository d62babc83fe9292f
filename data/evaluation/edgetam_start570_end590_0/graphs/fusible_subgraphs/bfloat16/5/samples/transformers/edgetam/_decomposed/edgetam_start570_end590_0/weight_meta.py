class Program_weight_tensor_meta_L_self_modules_mask_decoder_modules_conv_s1_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_mask_decoder_modules_conv_s1_parameters_weight_"
    shape = [64, 256, 1, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000587535
    std = 0.019859


class Program_weight_tensor_meta_L_self_modules_mask_decoder_modules_conv_s1_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_mask_decoder_modules_conv_s1_parameters_bias_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0112999
    std = 0.178221


class Program_weight_tensor_meta_L_self_parameters_no_memory_embedding_:
    name = "in_2"
    original_name = "L_self_parameters_no_memory_embedding_"
    shape = [1, 1, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0102786
    std = 0.204884


class Program_weight_tensor_meta_tmp_445:
    name = "in_3"
    original_name = "tmp_445"
    shape = [256, 256, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_484:
    name = "in_4"
    original_name = "tmp_484"
    shape = [256, 256, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_487:
    name = "in_5"
    original_name = "tmp_487"
    shape = [256, 256, 8, 8]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_526:
    name = "in_6"
    original_name = "tmp_526"
    shape = [256, 256, 8, 8]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_568:
    name = "in_7"
    original_name = "tmp_568"
    shape = [256, 256, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_569:
    name = "in_8"
    original_name = "tmp_569"
    shape = [256, 32, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000
