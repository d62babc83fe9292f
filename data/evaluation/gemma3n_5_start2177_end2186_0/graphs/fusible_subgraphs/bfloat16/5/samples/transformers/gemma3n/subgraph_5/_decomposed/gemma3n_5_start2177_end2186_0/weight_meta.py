class Program_weight_tensor_meta_L_self_modules_language_model_modules_altup_unembed_projections_modules_2_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_language_model_modules_altup_unembed_projections_modules_2_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 6.84804e-05
    std = 0.050035


class Program_weight_tensor_meta_tmp_2156:
    name = "in_1"
    original_name = "tmp_2156"
    shape = [256, 16, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_2157:
    name = "in_2"
    original_name = "tmp_2157"
    shape = [256, 16, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_2166:
    name = "in_3"
    original_name = "tmp_2166"
    shape = [256, 16, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_2175:
    name = "in_4"
    original_name = "tmp_2175"
    shape = [256, 16, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_2176:
    name = "in_5"
    original_name = "tmp_2176"
    shape = [256, 16, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000
