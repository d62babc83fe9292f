class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00741
    std = 0.191473


class Program_weight_tensor_meta_inputs_embeds:
    name = "in_1"
    original_name = "inputs_embeds"
    shape = [4, 128, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000538656
    std = 0.0997716


class Program_weight_tensor_meta_attn_output_3:
    name = "in_2"
    original_name = "attn_output_3"
    shape = [4, 128, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0221272
    std = 1.47426
