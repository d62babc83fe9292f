class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_compressor_modules_indexer_modules_scorer_modules_weights_proj_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_compressor_modules_indexer_modules_scorer_modules_weights_proj_parameters_weight_"
    shape = [64, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000146799
    std = 0.0998431


class Program_weight_tensor_meta_tmp_3:
    name = "in_1"
    original_name = "tmp_3"
    shape = [1, 16]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 15
    min_val = 0


class Program_weight_tensor_meta_tmp_1062:
    name = "in_2"
    original_name = "tmp_1062"
    shape = [256, 16, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00347393
    std = 1.03111


class Program_weight_tensor_meta_tmp_1296:
    name = "in_3"
    original_name = "tmp_1296"
    shape = [256, 16, 64, 4]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.32145
    std = 1.98534
