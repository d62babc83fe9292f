class Program_weight_tensor_meta_linear_2:
    name = "in_0"
    original_name = "linear_2"
    shape = [4, 64, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0351726
    std = 1.42714
