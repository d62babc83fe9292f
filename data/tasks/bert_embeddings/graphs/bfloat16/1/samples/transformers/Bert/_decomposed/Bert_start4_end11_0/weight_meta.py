class Program_weight_tensor_meta_L_kwargs_input_ids_:
    name = "in_0"
    original_name = "L_kwargs_input_ids_"
    shape = [4, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 1020
    min_val = 5


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_word_embeddings_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_embeddings_modules_word_embeddings_parameters_weight_"
    shape = [1024, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000359213
    std = 0.0999962


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_token_type_embeddings_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_embeddings_modules_token_type_embeddings_parameters_weight_"
    shape = [2, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00978567
    std = 0.0962133


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_position_embeddings_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_embeddings_modules_position_embeddings_parameters_weight_"
    shape = [512, 256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 6.75976e-05
    std = 0.100147


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_LayerNorm_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_embeddings_modules_LayerNorm_parameters_weight_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.967545
    std = 0.207351


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_LayerNorm_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_embeddings_modules_LayerNorm_parameters_bias_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0123532
    std = 0.203686


class Program_weight_tensor_meta_position_ids:
    name = "in_6"
    original_name = "position_ids"
    shape = [1, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 127
    min_val = 0


class Program_weight_tensor_meta_token_type_ids:
    name = "in_7"
    original_name = "token_type_ids"
    shape = [4, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 0
    min_val = 0
