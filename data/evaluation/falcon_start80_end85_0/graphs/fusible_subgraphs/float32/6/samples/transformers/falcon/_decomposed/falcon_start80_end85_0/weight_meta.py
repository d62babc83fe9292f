class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_input_layernorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_h_modules_1_modules_input_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01126
    std = 0.197443


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_input_layernorm_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_h_modules_1_modules_input_layernorm_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000698768
    std = 0.210014


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [384, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000817744
    std = 0.0998412


class Program_weight_tensor_meta_tmp_0:
    name = "in_3"
    original_name = "tmp_0"
    shape = [1, 4096, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000392885
    std = 0.0994054


class Program_weight_tensor_meta_tmp_74:
    name = "in_4"
    original_name = "tmp_74"
    shape = [1, 4096, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0366758
    std = 1.91987


class Program_weight_tensor_meta_tmp_79:
    name = "in_5"
    original_name = "tmp_79"
    shape = [1, 4096, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.212684
    std = 3.38933
