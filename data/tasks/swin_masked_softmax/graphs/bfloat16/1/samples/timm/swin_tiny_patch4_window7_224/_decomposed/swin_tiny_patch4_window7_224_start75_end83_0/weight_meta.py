class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_blocks_modules_1_buffers_attn_mask_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_0_modules_blocks_modules_1_buffers_attn_mask_"
    shape = [16, 49, 49]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -22.9904
    std = 42.0777


class Program_weight_tensor_meta_attn_4:
    name = "in_1"
    original_name = "attn_4"
    shape = [64, 3, 49, 49]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0276321
    std = 0.0464273


class Program_weight_tensor_meta_unsqueeze_1:
    name = "in_2"
    original_name = "unsqueeze_1"
    shape = [1, 3, 49, 49]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00117756
    std = 0.020128
