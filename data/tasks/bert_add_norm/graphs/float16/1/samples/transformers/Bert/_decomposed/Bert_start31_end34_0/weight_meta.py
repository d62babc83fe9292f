class Program_weight_tensor_meta_L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.981335
    std = 0.197902


class Program_weight_tensor_meta_L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_layer_modules_0_modules_attention_modules_output_modules_LayerNorm_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00979542
    std = 0.213319


class Program_weight_tensor_meta_embeddings_3:
    name = "in_2"
    original_name = "embeddings_3"
    shape = [8, 128, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0183533
    std = 1.0157


class Program_weight_tensor_meta_hidden_states:
    name = "in_3"
    original_name = "hidden_states"
    shape = [8, 128, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.156033
    std = 1.56663
