class Program_weight_tensor_meta_cos_2:
    name = "in_0"
    original_name = "cos_2"
    shape = [1, 128, 32]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.495437
    std = 0.683025


class Program_weight_tensor_meta_sin_2:
    name = "in_1"
    original_name = "sin_2"
    shape = [1, 128, 32]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.166953
    std = 0.510218


class Program_weight_tensor_meta_query_states:
    name = "in_2"
    original_name = "query_states"
    shape = [4, 8, 128, 32]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00426873
    std = 1.63606


class Program_weight_tensor_meta_key_states:
    name = "in_3"
    original_name = "key_states"
    shape = [4, 2, 128, 32]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00671079
    std = 1.6246
