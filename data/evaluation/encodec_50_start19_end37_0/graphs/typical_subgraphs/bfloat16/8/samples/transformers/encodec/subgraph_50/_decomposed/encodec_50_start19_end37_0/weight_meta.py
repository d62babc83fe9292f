class Program_weight_tensor_meta_L_self_modules_quantizer_modules_layers_modules_1_modules_codebook_buffers_embed_:
    name = "in_0"
    original_name = "L_self_modules_quantizer_modules_layers_modules_1_modules_codebook_buffers_embed_"
    shape = [1024, 128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 8.81345e-05
    std = 0.199755


class Program_weight_tensor_meta_tmp_18:
    name = "in_1"
    original_name = "tmp_18"
    shape = [16, 128, 4096]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00612517
    std = 0.168034
