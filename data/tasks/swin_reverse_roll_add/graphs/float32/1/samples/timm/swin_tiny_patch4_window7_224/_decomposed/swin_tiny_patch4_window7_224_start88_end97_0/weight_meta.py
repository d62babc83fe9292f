class Program_weight_tensor_meta_x_18:
    name = "in_0"
    original_name = "x_18"
    shape = [8, 28, 28, 48]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00843385
    std = 1.04973


class Program_weight_tensor_meta_x_23:
    name = "in_1"
    original_name = "x_23"
    shape = [128, 49, 48]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.010682
    std = 0.229112
