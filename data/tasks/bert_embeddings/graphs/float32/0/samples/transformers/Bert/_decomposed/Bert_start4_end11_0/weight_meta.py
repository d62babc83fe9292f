class Program_weight_tensor_meta_L_kwargs_input_ids_:
    name = "in_0"
    original_name = "L_kwargs_input_ids_"
    shape = [1, 16]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    data = [70, 176, 34, 348, 446, 78, 255, 980, 353, 790, 841, 101, 263, 82, 902, 593]


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_word_embeddings_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_embeddings_modules_word_embeddings_parameters_weight_"
    shape = [1024, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000359231
    std = 0.099996


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_token_type_embeddings_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_embeddings_modules_token_type_embeddings_parameters_weight_"
    shape = [2, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0097852
    std = 0.0962187


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_position_embeddings_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_embeddings_modules_position_embeddings_parameters_weight_"
    shape = [512, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 6.86111e-05
    std = 0.100148


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_LayerNorm_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_embeddings_modules_LayerNorm_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.967711
    std = 0.20732


class Program_weight_tensor_meta_L_self_modules_embeddings_modules_LayerNorm_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_embeddings_modules_LayerNorm_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0123537
    std = 0.20374


class Program_weight_tensor_meta_position_ids:
    name = "in_6"
    original_name = "position_ids"
    shape = [1, 16]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    data = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


class Program_weight_tensor_meta_token_type_ids:
    name = "in_7"
    original_name = "token_type_ids"
    shape = [1, 16]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    data = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
