class Program_weight_tensor_meta_L_input_ids_:
    name = "in_0"
    original_name = "L_input_ids_"
    shape = [16, 16]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 882
    min_val = 4


class Program_weight_tensor_meta_L_self_modules_language_model_modules_embed_tokens_per_layer_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_language_model_modules_embed_tokens_per_layer_parameters_weight_"
    shape = [1009, 2560]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.52473e-05
    std = 0.0500649


class Program_weight_tensor_meta_L_self_modules_language_model_modules_embed_tokens_per_layer_buffers_embed_scale_:
    name = "in_2"
    original_name = "L_self_modules_language_model_modules_embed_tokens_per_layer_buffers_embed_scale_"
    shape = []
    dtype = "torch.float32"
    device = "cpu"
    mean = 16.000
    std = float("nan")
    data = [16.000000]
