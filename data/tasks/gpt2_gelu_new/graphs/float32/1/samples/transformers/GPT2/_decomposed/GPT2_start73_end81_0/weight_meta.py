class Program_weight_tensor_meta_x_5:
    name = "in_0"
    original_name = "x_5"
    shape = [4, 64, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0208241
    std = 1.40331
