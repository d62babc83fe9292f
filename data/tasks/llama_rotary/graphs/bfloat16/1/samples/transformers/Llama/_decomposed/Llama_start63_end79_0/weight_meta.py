class Program_weight_tensor_meta_cos_2:
    name = "in_0"
    original_name = "cos_2"
    shape = [1, 128, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.495273
    std = 0.683277


class Program_weight_tensor_meta_sin_2:
    name = "in_1"
    original_name = "sin_2"
    shape = [1, 128, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.166659
    std = 0.510313


class Program_weight_tensor_meta_query_states:
    name = "in_2"
    original_name = "query_states"
    shape = [4, 8, 128, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00427849
    std = 1.6359


class Program_weight_tensor_meta_key_states:
    name = "in_3"
    original_name = "key_states"
    shape = [4, 2, 128, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00680403
    std = 1.62454
