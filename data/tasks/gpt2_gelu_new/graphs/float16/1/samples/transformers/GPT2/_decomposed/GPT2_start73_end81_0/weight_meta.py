class Program_weight_tensor_meta_x_5:
    name = "in_0"
    original_name = "x_5"
    shape = [4, 64, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0208146
    std = 1.40331
