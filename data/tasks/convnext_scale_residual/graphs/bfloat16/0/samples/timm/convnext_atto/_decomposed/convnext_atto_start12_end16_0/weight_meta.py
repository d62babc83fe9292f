class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_:
    name = "in_0"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_"
    shape = [40]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0369019
    std = 0.16306
    data = [-0.15234375, -0.1337890625, 0.1708984375, 0.345703125, 0.00421142578125, 0.017333984375, 0.1201171875, -0.3203125, -0.027587890625, 0.047607421875, 0.00537109375, -0.04296875, 0.07421875, -0.312500, 0.140625, 0.248046875, 0.2080078125, 0.345703125, -0.0888671875, -0.1806640625, -0.10546875, 0.208984375, 0.2080078125, 0.171875, -0.03173828125, 0.169921875, 0.03466796875, 0.14453125, 0.111328125, -0.08349609375, 0.00579833984375, -0.1611328125, 0.027099609375, -0.158203125, 0.17578125, -0.1904296875, 0.08447265625, 0.22265625, 0.11865234375, 0.053955078125]


class Program_weight_tensor_meta_x_2:
    name = "in_1"
    original_name = "x_2"
    shape = [1, 40, 40, 40]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0280035
    std = 0.996787


class Program_weight_tensor_meta_x_10:
    name = "in_2"
    original_name = "x_10"
    shape = [1, 40, 40, 40]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0184626
    std = 0.192545
