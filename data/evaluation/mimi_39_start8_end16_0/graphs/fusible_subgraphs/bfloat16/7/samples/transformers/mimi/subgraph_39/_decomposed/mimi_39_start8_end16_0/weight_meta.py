class Program_weight_tensor_meta_L_self_modules_quantizer_modules_semantic_residual_vector_quantizer_modules_layers_modules_0_modules_codebook_embed:
    name = "in_0"
    original_name = "L_self_modules_quantizer_modules_semantic_residual_vector_quantizer_modules_layers_modules_0_modules_codebook_embed"
    shape = [2048, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000246704
    std = 0.214978


class Program_weight_tensor_meta_tmp_0:
    name = "in_1"
    original_name = "tmp_0"
    shape = [3, 256, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0717137
    std = 15.0533


class Program_weight_tensor_meta_tmp_5:
    name = "in_2"
    original_name = "tmp_5"
    shape = [16, 256, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0717137
    std = 15.0533


class Program_weight_tensor_meta_tmp_7:
    name = "in_3"
    original_name = "tmp_7"
    shape = [16, 2048, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -2.33691e-05
    std = 0.21454
