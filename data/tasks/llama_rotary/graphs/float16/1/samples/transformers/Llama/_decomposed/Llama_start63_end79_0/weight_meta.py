class Program_weight_tensor_meta_cos_2:
    name = "in_0"
    original_name = "cos_2"
    shape = [1, 128, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.495445
    std = 0.683019


class Program_weight_tensor_meta_sin_2:
    name = "in_1"
    original_name = "sin_2"
    shape = [1, 128, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.166974
    std = 0.510223


class Program_weight_tensor_meta_query_states:
    name = "in_2"
    original_name = "query_states"
    shape = [4, 8, 128, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00427149
    std = 1.63604


class Program_weight_tensor_meta_key_states:
    name = "in_3"
    original_name = "key_states"
    shape = [4, 2, 128, 32]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00671277
    std = 1.62457
