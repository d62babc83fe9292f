class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_parameters_sinks_:
    name = "in_0"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_parameters_sinks_"
    shape = [4]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0455999
    std = 0.180806
    data = [-0.09515736997127533, -0.2589525878429413, 0.17399173974990845, -0.0022811852395534515]


class Program_weight_tensor_meta_tmp_30:
    name = "in_1"
    original_name = "tmp_30"
    shape = [3, 1, 17, 17]
    dtype = "torch.float16"
    device = "cpu"
    mean = -161309999999999995637582794668707414016.000
    std = 170009999999999999238511901536577126400.000


class Program_weight_tensor_meta_tmp_197:
    name = "in_2"
    original_name = "tmp_197"
    shape = [3, 4, 17, 17]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.665326
    std = 23.349
