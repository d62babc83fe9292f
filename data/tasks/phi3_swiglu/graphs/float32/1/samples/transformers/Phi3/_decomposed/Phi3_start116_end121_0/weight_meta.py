class Program_weight_tensor_meta_up_states:
    name = "in_0"
    original_name = "up_states"
    shape = [4, 128, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00816898
    std = 1.66361
