class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_input_layernorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_input_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.98416
    std = 0.203181


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_input_layernorm_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_input_layernorm_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0124682
    std = 0.203357


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_q_proj_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_q_proj_parameters_weight_"
    shape = [256, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000105742
    std = 0.0199686


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_q_proj_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_q_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00656653
    std = 0.188063


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_k_proj_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_k_proj_parameters_weight_"
    shape = [256, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.32043e-05
    std = 0.0199416


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_k_proj_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_k_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00850138
    std = 0.209942


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_v_proj_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_v_proj_parameters_weight_"
    shape = [256, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000106625
    std = 0.02003


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_v_proj_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_v_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00224705
    std = 0.199635


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_out_proj_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_out_proj_parameters_weight_"
    shape = [256, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.94467e-05
    std = 0.0200407


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_out_proj_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_attn_modules_out_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00833677
    std = 0.204787


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.98356
    std = 0.200621


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_post_attention_layernorm_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_post_attention_layernorm_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0210058
    std = 0.18836


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_12"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00382905
    std = 0.204066


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.08529e-06
    std = 0.0200404


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_14"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00611961
    std = 0.195458


class Program_weight_tensor_meta_L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_15"
    original_name = "L_self_modules_speech_decoder_model_modules_model_modules_decoder_modules_layers_modules_0_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [1024, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -8.74166e-05
    std = 0.0500249


class Program_weight_tensor_meta_tmp_204:
    name = "in_16"
    original_name = "tmp_204"
    shape = [16, 1, 16, 16]
    dtype = "torch.float16"
    device = "cpu"
    mean = -161634000000000003535908220139120623616.000
    std = 169999000000000005500050804763202158592.000


class Program_weight_tensor_meta_tmp_205:
    name = "in_17"
    original_name = "tmp_205"
    shape = [16, 16, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0241098
    std = 2.03506
