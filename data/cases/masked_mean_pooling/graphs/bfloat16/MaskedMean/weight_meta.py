class Program_weight_tensor_meta_L_mask_:
    name = "in_0"
    original_name = "L_mask_"
    shape = [8, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 1
    min_val = 0


class Program_weight_tensor_meta_L_tokens_:
    name = "in_1"
    original_name = "L_tokens_"
    shape = [8, 128, 384]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.003371
    std = 1.00047
