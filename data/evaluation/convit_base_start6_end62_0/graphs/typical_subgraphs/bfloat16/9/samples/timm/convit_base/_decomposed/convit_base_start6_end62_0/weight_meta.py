class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_modules_qk_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_modules_qk_parameters_weight_"
    shape = [1536, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_modules_pos_proj_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_modules_pos_proj_parameters_weight_"
    shape = [16, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.577


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_modules_pos_proj_parameters_bias_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_modules_pos_proj_parameters_bias_"
    shape = [16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_parameters_gating_param_:
    name = "in_3"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_parameters_gating_param_"
    shape = [16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.020


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_modules_v_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_modules_v_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_modules_proj_parameters_weight_:
    name = "in_5"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_modules_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_attn_modules_proj_parameters_bias_:
    name = "in_6"
    original_name = "L_self_modules_blocks_modules_0_modules_attn_modules_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_7"
    original_name = "L_self_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_8"
    original_name = "L_self_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [3072]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 0.200


class Program_weight_tensor_meta_tmp_4:
    name = "in_11"
    original_name = "tmp_4"
    shape = [2, 196, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_5:
    name = "in_12"
    original_name = "tmp_5"
    shape = [2, 196, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000
