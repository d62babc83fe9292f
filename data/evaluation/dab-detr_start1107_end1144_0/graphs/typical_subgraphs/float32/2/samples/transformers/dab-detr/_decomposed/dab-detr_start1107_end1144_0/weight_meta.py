class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_query_pos_sine_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_query_pos_sine_proj_parameters_weight_"
    shape = [256, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -9.76154e-05
    std = 0.02001


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_query_pos_sine_proj_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_query_pos_sine_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0272051
    std = 0.203896


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_modules_output_proj_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_modules_output_proj_parameters_weight_"
    shape = [256, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.28619e-05
    std = 0.0199615


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_modules_output_proj_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_modules_output_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0099379
    std = 0.209733


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_layer_norm_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_layer_norm_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01061
    std = 0.196754


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_layer_norm_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_cross_attn_modules_cross_attn_layer_norm_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00900954
    std = 0.198048


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [2048, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 7.24527e-07
    std = 0.0199669


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [2048]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00368112
    std = 0.20073


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_activation_fn_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_activation_fn_parameters_weight_"
    shape = [1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.250
    std = float("nan")
    data = [0.250000]


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [256, 2048]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.77949e-05
    std = 0.02003


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00977318
    std = 0.202957


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_final_layer_norm_parameters_weight_:
    name = "in_11"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_final_layer_norm_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.994677
    std = 0.200


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_final_layer_norm_parameters_bias_:
    name = "in_12"
    original_name = "L_self_modules_decoder_modules_layers_modules_0_modules_mlp_modules_final_layer_norm_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0131287
    std = 0.189864


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layernorm_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_decoder_modules_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.976316
    std = 0.208882


class Program_weight_tensor_meta_L_self_modules_decoder_modules_layernorm_parameters_bias_:
    name = "in_14"
    original_name = "L_self_modules_decoder_modules_layernorm_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0084181
    std = 0.21167


class Program_weight_tensor_meta_tmp_999:
    name = "in_15"
    original_name = "tmp_999"
    shape = [1, 1, 256, 4]
    dtype = "torch.float32"
    device = "cpu"
    mean = -85070599999999997137365619618160312320.000
    std = 148119999999999992653414546657027031040.000


class Program_weight_tensor_meta_tmp_1053:
    name = "in_16"
    original_name = "tmp_1053"
    shape = [1, 256, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.520563
    std = 0.514629


class Program_weight_tensor_meta_tmp_1098:
    name = "in_17"
    original_name = "tmp_1098"
    shape = [1, 256, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.015283
    std = 0.976664


class Program_weight_tensor_meta_tmp_1101:
    name = "in_18"
    original_name = "tmp_1101"
    shape = [1, 4, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00316528
    std = 0.366736


class Program_weight_tensor_meta_tmp_1102:
    name = "in_19"
    original_name = "tmp_1102"
    shape = [1, 4, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.033144
    std = 0.302383


class Program_weight_tensor_meta_tmp_1105:
    name = "in_20"
    original_name = "tmp_1105"
    shape = [1, 4, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0431492
    std = 0.47333


class Program_weight_tensor_meta_tmp_1106:
    name = "in_21"
    original_name = "tmp_1106"
    shape = [1, 256, 8, 32]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00123707
    std = 0.406517
