class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_0_modules_bn1_buffers_running_mean_:
    name = "in_0"
    original_name = "L_self_modules_blocks_modules_0_modules_0_modules_bn1_buffers_running_mean_"
    shape = [32]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00582504
    std = 0.164428
    data = [-0.080078125, 0.06494140625, 0.138671875, 0.103515625, -0.263671875, -0.02490234375, -0.3203125, 0.11328125, 0.0849609375, 0.10546875, 0.01202392578125, 0.3515625, 0.12353515625, -0.283203125, 0.08984375, 0.1328125, -0.2275390625, -0.09765625, -0.06787109375, 0.005615234375, 0.00689697265625, -0.02587890625, -0.28515625, -0.1611328125, 0.19140625, -0.08984375, 0.1904296875, -0.2431640625, -0.03662109375, 0.0654296875, 0.0947265625, 0.1455078125]


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_0_modules_bn1_buffers_running_var_:
    name = "in_1"
    original_name = "L_self_modules_blocks_modules_0_modules_0_modules_bn1_buffers_running_var_"
    shape = [32]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.04614
    std = 0.30768
    data = [0.78515625, 0.62109375, 0.8828125, 0.8359375, 0.9296875, 0.875000, 1.4453125, 1.156250, 1.156250, 1.1953125, 0.77734375, 0.65234375, 0.65234375, 1.1015625, 1.359375, 1.4609375, 1.4609375, 1.3515625, 1.156250, 1.453125, 1.4140625, 0.9140625, 1.4609375, 0.73828125, 1.3515625, 1.4765625, 0.6328125, 1.1328125, 0.6640625, 0.73828125, 0.6640625, 0.98046875]


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_0_modules_bn1_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_blocks_modules_0_modules_0_modules_bn1_parameters_weight_"
    shape = [32]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.976685
    std = 0.185219
    data = [1.2421875, 0.97265625, 1.000000, 0.6640625, 0.98046875, 0.91796875, 0.8359375, 0.78515625, 1.531250, 0.82421875, 1.281250, 1.046875, 0.76953125, 0.84765625, 0.99609375, 1.046875, 0.9609375, 0.9140625, 1.1640625, 0.937500, 0.79296875, 1.062500, 0.97265625, 0.94140625, 1.0078125, 0.781250, 1.140625, 0.92578125, 0.62109375, 1.0546875, 1.0234375, 1.2109375]


class Program_weight_tensor_meta_L_self_modules_blocks_modules_0_modules_0_modules_bn1_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_blocks_modules_0_modules_0_modules_bn1_parameters_bias_"
    shape = [32]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0589318
    std = 0.2054
    data = [0.109375, 0.1796875, 0.11669921875, 0.11083984375, 0.10498046875, -0.0281982421875, 0.050048828125, 0.546875, -0.08154296875, 0.12158203125, 0.154296875, -0.341796875, -0.16015625, -0.259765625, -0.2890625, 0.09912109375, 0.09814453125, 0.185546875, -0.056640625, 0.298828125, 0.45703125, 0.0517578125, -0.0927734375, 0.390625, -0.19921875, 0.02734375, -0.0089111328125, 0.181640625, 0.185546875, 0.150390625, -0.216796875, 0.0003185272216796875]


class Program_weight_tensor_meta_x_3:
    name = "in_4"
    original_name = "x_3"
    shape = [8, 32, 48, 48]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0747857
    std = 0.496319
