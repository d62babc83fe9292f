class Program_weight_tensor_meta_L_self_modules_vision_model_modules_encoder_modules_stages_modules_0_modules_downsample_modules_mlp_channels_modules_fc2_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_vision_model_modules_encoder_modules_stages_modules_0_modules_downsample_modules_mlp_channels_modules_fc2_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.16535e-06
    std = 0.0312393


class Program_weight_tensor_meta_L_self_modules_vision_model_modules_encoder_modules_stages_modules_0_modules_downsample_modules_mlp_channels_modules_fc2_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_vision_model_modules_encoder_modules_stages_modules_0_modules_downsample_modules_mlp_channels_modules_fc2_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0367685
    std = 0.208864


class Program_weight_tensor_meta_L_self_modules_vision_model_modules_encoder_modules_stages_modules_1_parameters_group_token_:
    name = "in_2"
    original_name = "L_self_modules_vision_model_modules_encoder_modules_stages_modules_1_parameters_group_token_"
    shape = [1, 8, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.005885
    std = 0.20059


class Program_weight_tensor_meta_L_self_modules_vision_model_modules_encoder_modules_stages_modules_1_modules_group_projector_modules_0_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_vision_model_modules_encoder_modules_stages_modules_1_modules_group_projector_modules_0_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01797
    std = 0.189176


class Program_weight_tensor_meta_L_self_modules_vision_model_modules_encoder_modules_stages_modules_1_modules_group_projector_modules_0_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_vision_model_modules_encoder_modules_stages_modules_1_modules_group_projector_modules_0_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00675838
    std = 0.200166


class Program_weight_tensor_meta_tmp_77:
    name = "in_5"
    original_name = "tmp_77"
    shape = [1, 4096, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0173125
    std = 0.916033


class Program_weight_tensor_meta_iadd:
    name = "in_6"
    original_name = "iadd"
    shape = [1, 4096, 256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00742765
    std = 0.998973


class Program_weight_tensor_meta_tmp_143:
    name = "in_7"
    original_name = "tmp_143"
    shape = [1, 4096, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.161756
    std = 0.407419
