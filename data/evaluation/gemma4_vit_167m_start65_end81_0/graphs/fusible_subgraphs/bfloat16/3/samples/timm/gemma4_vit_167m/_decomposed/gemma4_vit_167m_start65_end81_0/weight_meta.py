class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_v_proj_buffers_output_min_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_v_proj_buffers_output_min_"
    shape = []
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_v_proj_buffers_output_max_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_v_proj_buffers_output_max_"
    shape = []
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_q_norm_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_q_norm_parameters_weight_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_k_norm_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_encoder_modules_blocks_modules_0_modules_attn_modules_k_norm_parameters_weight_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.000
    std = 0.200


class Program_weight_tensor_meta_tmp_51:
    name = "in_4"
    original_name = "tmp_51"
    shape = [16, 16, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_53:
    name = "in_5"
    original_name = "tmp_53"
    shape = [16, 16, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_58:
    name = "in_6"
    original_name = "tmp_58"
    shape = [16, 16, 12, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_62:
    name = "in_7"
    original_name = "tmp_62"
    shape = [16, 16, 12, 64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_64:
    name = "in_8"
    original_name = "tmp_64"
    shape = [16, 16, 768]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000
    std = 1.000
