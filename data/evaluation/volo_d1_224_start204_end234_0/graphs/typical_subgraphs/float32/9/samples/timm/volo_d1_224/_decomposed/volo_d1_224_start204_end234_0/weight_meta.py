class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_norm1_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_post_network_modules_0_modules_norm1_parameters_weight_"
    shape = [384]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00903
    std = 0.198528


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_norm1_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_post_network_modules_0_modules_norm1_parameters_bias_"
    shape = [384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0053826
    std = 0.192018


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_attn_modules_kv_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_post_network_modules_0_modules_attn_modules_kv_parameters_weight_"
    shape = [768, 384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.64767e-05
    std = 0.0199858


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_attn_modules_q_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_post_network_modules_0_modules_attn_modules_q_parameters_weight_"
    shape = [384, 384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -6.34715e-05
    std = 0.0199658


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_attn_modules_proj_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_post_network_modules_0_modules_attn_modules_proj_parameters_weight_"
    shape = [384, 384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -7.05018e-06
    std = 0.0200564


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_attn_modules_proj_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_post_network_modules_0_modules_attn_modules_proj_parameters_bias_"
    shape = [384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00455167
    std = 0.193118


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_norm2_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_post_network_modules_0_modules_norm2_parameters_weight_"
    shape = [384]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00777
    std = 0.204754


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_norm2_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_post_network_modules_0_modules_norm2_parameters_bias_"
    shape = [384]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00385137
    std = 0.195584


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_post_network_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1152, 384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.18962e-05
    std = 0.0199976


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_post_network_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1152]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00526093
    std = 0.200321


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_post_network_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [384, 1152]
    dtype = "torch.float32"
    device = "cpu"
    mean = -7.12499e-06
    std = 0.0200096


class Program_weight_tensor_meta_L_self_modules_post_network_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_post_network_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.6332e-05
    std = 0.199004


class Program_weight_tensor_meta_tmp_202:
    name = "in_12"
    original_name = "tmp_202"
    shape = [2, 49, 384]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.036462
    std = 0.910306


class Program_weight_tensor_meta_tmp_203:
    name = "in_13"
    original_name = "tmp_203"
    shape = [2, 1, 384]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00155868
    std = 0.0217321
