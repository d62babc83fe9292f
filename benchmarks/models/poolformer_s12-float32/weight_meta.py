class Program_weight_tensor_meta_L_self_modules_stem_modules_conv_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_stem_modules_conv_parameters_weight_"
    shape = [64, 3, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000196287
    std = 0.0200049


class Program_weight_tensor_meta_L_self_modules_stem_modules_conv_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_stem_modules_conv_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0181903
    std = 0.216567


class Program_weight_tensor_meta_L_x_:
    name = "in_2"
    original_name = "L_x_"
    shape = [1, 3, 224, 224]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00336067
    std = 1.00178


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.993634
    std = 0.197487


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00791976
    std = 0.205906


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_5"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00491028
    std = 0.231194


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01111
    std = 0.215738


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0268859
    std = 0.201887


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [256, 64, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000171499
    std = 0.0198101


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0245933
    std = 0.210403


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [64, 256, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000119734
    std = 0.0199364


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0198005
    std = 0.194726


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_12"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00604839
    std = 0.240194


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01088
    std = 0.198208


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_14"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000851172
    std = 0.198163


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_15"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0208649
    std = 0.179794


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.02672
    std = 0.187754


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0171638
    std = 0.206314


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [256, 64, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000410954
    std = 0.0200712


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00990457
    std = 0.212365


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [64, 256, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000349075
    std = 0.0200756


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00115304
    std = 0.200237


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_22"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00627054
    std = 0.184548


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_weight_:
    name = "in_23"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_weight_"
    shape = [128, 64, 3, 3]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.21035e-05
    std = 0.0199735


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_bias_:
    name = "in_24"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00234371
    std = 0.181338


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_25"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.991507
    std = 0.196517


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_26"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0152434
    std = 0.206865


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_27"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0385235
    std = 0.19256


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00391
    std = 0.203181


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00566299
    std = 0.202648


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [512, 128, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.53767e-06
    std = 0.0199728


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_31"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00685028
    std = 0.186774


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [128, 512, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.3112e-05
    std = 0.0199605


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_33"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0111994
    std = 0.177574


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_34"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0117733
    std = 0.21151


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_35"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.99195
    std = 0.216582


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_36"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0249687
    std = 0.170612


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_37"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00941979
    std = 0.191116


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.996776
    std = 0.195969


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_39"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0316264
    std = 0.209244


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_40"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [512, 128, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 7.7978e-05
    std = 0.0200608


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00677764
    std = 0.19134


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [128, 512, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.10228e-05
    std = 0.0199296


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00731361
    std = 0.215908


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_44"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00864541
    std = 0.174807


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_weight_:
    name = "in_45"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_weight_"
    shape = [320, 128, 3, 3]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.94091e-05
    std = 0.0200215


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_bias_:
    name = "in_46"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00491902
    std = 0.195022


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_47"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01034
    std = 0.203004


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_48"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.026386
    std = 0.20786


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_49"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0231771
    std = 0.199328


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_50"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00334
    std = 0.205693


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_51"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0118455
    std = 0.199712


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_52"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.53008e-05
    std = 0.0200348


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_53"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000628806
    std = 0.204486


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_54"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.04332e-05
    std = 0.0199846


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_55"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00307719
    std = 0.20337


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_56"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0201832
    std = 0.188181


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_57"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.995733
    std = 0.189666


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_58"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000398214
    std = 0.199202


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_59"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00954915
    std = 0.204299


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_60"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01186
    std = 0.200617


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_61"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.016113
    std = 0.197405


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_62"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -7.42427e-06
    std = 0.0199757


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_63"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00152302
    std = 0.207552


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_64"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.88209e-05
    std = 0.0200046


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_65"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00346095
    std = 0.194073


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_66"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0197628
    std = 0.21188


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_weight_:
    name = "in_67"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.987354
    std = 0.194865


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_bias_:
    name = "in_68"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00280055
    std = 0.194747


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale1_parameters_scale_:
    name = "in_69"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00944914
    std = 0.183962


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_weight_:
    name = "in_70"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01543
    std = 0.194893


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_bias_:
    name = "in_71"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0195995
    std = 0.195272


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_72"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.04788e-05
    std = 0.0199902


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_73"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00716654
    std = 0.196257


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_74"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.82162e-05
    std = 0.0199909


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_75"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0204081
    std = 0.205628


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale2_parameters_scale_:
    name = "in_76"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00328844
    std = 0.191105


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_weight_:
    name = "in_77"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00348
    std = 0.195023


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_bias_:
    name = "in_78"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00435421
    std = 0.197191


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale1_parameters_scale_:
    name = "in_79"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0054996
    std = 0.194223


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_weight_:
    name = "in_80"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.982373
    std = 0.188469


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_bias_:
    name = "in_81"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00128367
    std = 0.209773


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_82"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -6.93121e-06
    std = 0.0200096


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_83"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00489706
    std = 0.202413


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_84"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.90783e-05
    std = 0.0200191


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_85"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0258684
    std = 0.194171


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale2_parameters_scale_:
    name = "in_86"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00295877
    std = 0.193657


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_weight_:
    name = "in_87"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.99565
    std = 0.207494


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_bias_:
    name = "in_88"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0061427
    std = 0.190442


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale1_parameters_scale_:
    name = "in_89"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00753599
    std = 0.209676


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_weight_:
    name = "in_90"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00478
    std = 0.197335


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_bias_:
    name = "in_91"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00086487
    std = 0.201873


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_92"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.22394e-06
    std = 0.0200375


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_93"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00217626
    std = 0.202585


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_94"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.0277e-05
    std = 0.0199499


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_95"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00369606
    std = 0.210033


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale2_parameters_scale_:
    name = "in_96"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00903793
    std = 0.201346


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_weight_:
    name = "in_97"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00271
    std = 0.190405


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_bias_:
    name = "in_98"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0330363
    std = 0.211325


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale1_parameters_scale_:
    name = "in_99"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00701503
    std = 0.188111


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_weight_:
    name = "in_100"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00363
    std = 0.19166


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_bias_:
    name = "in_101"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0156799
    std = 0.201935


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_102"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -6.87814e-06
    std = 0.0200375


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_103"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00273807
    std = 0.197018


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_104"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.01628e-05
    std = 0.0199656


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_105"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00707728
    std = 0.209459


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale2_parameters_scale_:
    name = "in_106"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.01359
    std = 0.190425


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_weight_:
    name = "in_107"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_weight_"
    shape = [512, 320, 3, 3]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.61961e-05
    std = 0.020004


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_bias_:
    name = "in_108"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00970137
    std = 0.203959


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_109"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00288
    std = 0.205678


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_110"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00920759
    std = 0.198399


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_111"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000285934
    std = 0.201134


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_112"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00008
    std = 0.195153


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_113"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00648191
    std = 0.208912


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_114"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [2048, 512, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.36766e-05
    std = 0.0199829


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_115"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [2048]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00048757
    std = 0.196449


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_116"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [512, 2048, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.20175e-06
    std = 0.0200163


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_117"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0165334
    std = 0.211655


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_118"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0061408
    std = 0.190816


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_119"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00283
    std = 0.20075


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_120"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0114866
    std = 0.204358


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_121"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00452822
    std = 0.200711


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_122"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00575
    std = 0.192518


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_123"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0105846
    std = 0.207912


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_124"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [2048, 512, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.72448e-05
    std = 0.020093


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_125"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [2048]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00422408
    std = 0.199588


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_126"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [512, 2048, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.06233e-07
    std = 0.0199905


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_127"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0147632
    std = 0.206183


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_128"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00371814
    std = 0.2043


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_weight_:
    name = "in_129"
    original_name = "L_self_modules_head_modules_norm_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.996325
    std = 0.191729


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_bias_:
    name = "in_130"
    original_name = "L_self_modules_head_modules_norm_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0130109
    std = 0.20096


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_weight_:
    name = "in_131"
    original_name = "L_self_modules_head_modules_fc_parameters_weight_"
    shape = [1000, 512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 7.46546e-06
    std = 0.0200192


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_bias_:
    name = "in_132"
    original_name = "L_self_modules_head_modules_fc_parameters_bias_"
    shape = [1000]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00270812
    std = 0.202516
