class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00547564
    std = 0.202217


class Program_weight_tensor_meta_inputs_embeds:
    name = "in_1"
    original_name = "inputs_embeds"
    shape = [4, 128, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00930611
    std = 8.0066


class Program_weight_tensor_meta_attn_output_3:
    name = "in_2"
    original_name = "attn_output_3"
    shape = [4, 128, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.172878
    std = 57.7599
