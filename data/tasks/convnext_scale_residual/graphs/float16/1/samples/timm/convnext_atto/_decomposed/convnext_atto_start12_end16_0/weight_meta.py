class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_:
    name = "in_0"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.03689
    std = 0.163034
    data = [-0.152099609375, -0.1339111328125, 0.1710205078125, 0.345703125, 0.004199981689453125, 0.0173797607421875, 0.11993408203125, -0.3203125, -0.0276336669921875, 0.047698974609375, 0.00537872314453125, -0.043060302734375, 0.0743408203125, -0.31201171875, 0.14111328125, 0.2479248046875, 0.2076416015625, 0.34521484375, -0.08892822265625, -0.1810302734375, -0.10546875, 0.208984375, 0.20849609375, 0.171875, -0.03179931640625, 0.1700439453125, 0.034759521484375, 0.1441650390625, 0.111083984375, -0.08343505859375, 0.005802154541015625, -0.1612548828125, 0.0270538330078125, -0.1585693359375, 0.17578125, -0.1904296875, 0.08465576171875, 0.222412109375, 0.11883544921875, 0.054046630859375]


class Program_weight_tensor_meta_x_2:
    name = "in_1"
    original_name = "x_2"
    shape = [8, 40, 40, 40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0290227
    std = 0.995683


class Program_weight_tensor_meta_x_10:
    name = "in_2"
    original_name = "x_10"
    shape = [8, 40, 40, 40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0184583
    std = 0.192599
