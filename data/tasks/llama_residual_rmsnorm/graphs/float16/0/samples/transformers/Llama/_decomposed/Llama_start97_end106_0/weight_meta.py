class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00742
    std = 0.191461


class Program_weight_tensor_meta_inputs_embeds:
    name = "in_1"
    original_name = "inputs_embeds"
    shape = [1, 16, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0011101
    std = 0.0994804


class Program_weight_tensor_meta_attn_output_3:
    name = "in_2"
    original_name = "attn_output_3"
    shape = [1, 16, 256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.058624
    std = 2.01438
