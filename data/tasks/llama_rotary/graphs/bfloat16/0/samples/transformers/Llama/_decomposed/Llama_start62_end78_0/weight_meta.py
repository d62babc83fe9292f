class Program_weight_tensor_meta_cos_2:
    name = "in_0"
    original_name = "cos_2"
    shape = [1, 16, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.727083
    std = 0.542039


class Program_weight_tensor_meta_sin_2:
    name = "in_1"
    original_name = "sin_2"
    shape = [1, 16, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.168273
    std = 0.387576


class Program_weight_tensor_meta_query_states:
    name = "in_2"
    original_name = "query_states"
    shape = [1, 8, 16, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0427451
    std = 1.62594


class Program_weight_tensor_meta_key_states:
    name = "in_3"
    original_name = "key_states"
    shape = [1, 2, 16, 32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0123293
    std = 1.6651
