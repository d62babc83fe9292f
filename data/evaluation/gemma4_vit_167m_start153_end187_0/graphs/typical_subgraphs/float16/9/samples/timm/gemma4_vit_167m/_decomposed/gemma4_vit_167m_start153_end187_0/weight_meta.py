class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_input_min_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_input_min_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_input_max_:
    name = "in_2"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_input_max_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_modules_linear_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_modules_linear_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_output_min_:
    name = "in_4"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_output_min_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_output_max_:
    name = "in_5"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_proj_buffers_output_max_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_input_min_:
    name = "in_6"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_input_min_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_input_max_:
    name = "in_7"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_input_max_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_modules_linear_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_modules_linear_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_output_min_:
    name = "in_9"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_output_min_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_output_max_:
    name = "in_10"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_proj_buffers_output_max_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_input_min_:
    name = "in_11"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_input_min_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_input_max_:
    name = "in_12"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_input_max_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_modules_linear_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_modules_linear_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 0.0361


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_output_min_:
    name = "in_14"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_output_min_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_output_max_:
    name = "in_15"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_v_proj_buffers_output_max_"
    shape = []
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_norm_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_q_norm_parameters_weight_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.000
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_norm_parameters_weight_:
    name = "in_17"
    original_name = "L_self_modules_encoder_modules_blocks_modules_1_modules_attn_modules_k_norm_parameters_weight_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.000
    std = 0.200


class Program_weight_tensor_meta_tmp_51:
    name = "in_18"
    original_name = "tmp_51"
    shape = [2, 2304, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_53:
    name = "in_19"
    original_name = "tmp_53"
    shape = [2, 2304, 64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000


class Program_weight_tensor_meta_tmp_152:
    name = "in_20"
    original_name = "tmp_152"
    shape = [2, 2304, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000
    std = 1.000
