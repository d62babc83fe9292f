class Program_weight_tensor_meta_up_states:
    name = "in_0"
    original_name = "up_states"
    shape = [1, 64, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0168373
    std = 1.64073
