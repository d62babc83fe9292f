class Program_weight_tensor_meta_L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_weight_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.981453
    std = 0.197899


class Program_weight_tensor_meta_L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_bias_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00981447
    std = 0.213267


class Program_weight_tensor_meta_embeddings_3:
    name = "in_2"
    original_name = "embeddings_3"
    shape = [1, 128, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0176961
    std = 1.01512


class Program_weight_tensor_meta_hidden_states:
    name = "in_3"
    original_name = "hidden_states"
    shape = [1, 128, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.176213
    std = 1.60033
