class Program_weight_tensor_meta_up_states:
    name = "in_0"
    original_name = "up_states"
    shape = [4, 128, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00819698
    std = 1.6633
