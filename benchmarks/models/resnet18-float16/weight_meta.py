class Program_weight_tensor_meta_L_self_modules_conv1_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_conv1_parameters_weight_"
    shape = [64, 3, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.01628e-05
    std = 0.0254138


class Program_weight_tensor_meta_L_x_:
    name = "in_1"
    original_name = "L_x_"
    shape = [1, 3, 224, 224]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00125173
    std = 0.998344


class Program_weight_tensor_meta_L_self_modules_bn1_buffers_running_mean_:
    name = "in_2"
    original_name = "L_self_modules_bn1_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00334683
    std = 0.200925


class Program_weight_tensor_meta_L_self_modules_bn1_buffers_running_var_:
    name = "in_3"
    original_name = "L_self_modules_bn1_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.976082
    std = 0.29494


class Program_weight_tensor_meta_L_self_modules_bn1_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_bn1_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01925
    std = 0.218331


class Program_weight_tensor_meta_L_self_modules_bn1_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_bn1_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00873621
    std = 0.183478


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_conv1_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_layer1_modules_0_modules_conv1_parameters_weight_"
    shape = [64, 64, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -7.40521e-05
    std = 0.0591166


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn1_buffers_running_mean_:
    name = "in_7"
    original_name = "L_self_modules_layer1_modules_0_modules_bn1_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0400832
    std = 0.204258


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn1_buffers_running_var_:
    name = "in_8"
    original_name = "L_self_modules_layer1_modules_0_modules_bn1_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.965393
    std = 0.277187


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn1_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_layer1_modules_0_modules_bn1_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00415
    std = 0.202104


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn1_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_layer1_modules_0_modules_bn1_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0292599
    std = 0.202753


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_conv2_parameters_weight_:
    name = "in_11"
    original_name = "L_self_modules_layer1_modules_0_modules_conv2_parameters_weight_"
    shape = [64, 64, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -9.44102e-05
    std = 0.058635


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_12"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0269145
    std = 0.235702


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_buffers_running_var_:
    name = "in_13"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.971603
    std = 0.280232


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0222967
    std = 0.206783


class Program_weight_tensor_meta_L_self_modules_layer1_modules_0_modules_bn2_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_layer1_modules_0_modules_bn2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0129368
    std = 0.205499


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_conv1_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_layer1_modules_1_modules_conv1_parameters_weight_"
    shape = [64, 64, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000149054
    std = 0.058882


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn1_buffers_running_mean_:
    name = "in_17"
    original_name = "L_self_modules_layer1_modules_1_modules_bn1_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0280251
    std = 0.183386


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn1_buffers_running_var_:
    name = "in_18"
    original_name = "L_self_modules_layer1_modules_1_modules_bn1_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.947769
    std = 0.273768


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn1_parameters_weight_:
    name = "in_19"
    original_name = "L_self_modules_layer1_modules_1_modules_bn1_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.970085
    std = 0.208343


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn1_parameters_bias_:
    name = "in_20"
    original_name = "L_self_modules_layer1_modules_1_modules_bn1_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0105456
    std = 0.187788


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_conv2_parameters_weight_:
    name = "in_21"
    original_name = "L_self_modules_layer1_modules_1_modules_conv2_parameters_weight_"
    shape = [64, 64, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000643353
    std = 0.0589469


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn2_buffers_running_mean_:
    name = "in_22"
    original_name = "L_self_modules_layer1_modules_1_modules_bn2_buffers_running_mean_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00122623
    std = 0.19786


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn2_buffers_running_var_:
    name = "in_23"
    original_name = "L_self_modules_layer1_modules_1_modules_bn2_buffers_running_var_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.03957
    std = 0.292277


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn2_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_layer1_modules_1_modules_bn2_parameters_weight_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0271457
    std = 0.199938


class Program_weight_tensor_meta_L_self_modules_layer1_modules_1_modules_bn2_parameters_bias_:
    name = "in_25"
    original_name = "L_self_modules_layer1_modules_1_modules_bn2_parameters_bias_"
    shape = [64]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00866032
    std = 0.188174


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_conv1_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_layer2_modules_0_modules_conv1_parameters_weight_"
    shape = [128, 64, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -8.99243e-05
    std = 0.0418475


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn1_buffers_running_mean_:
    name = "in_27"
    original_name = "L_self_modules_layer2_modules_0_modules_bn1_buffers_running_mean_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0189726
    std = 0.220115


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn1_buffers_running_var_:
    name = "in_28"
    original_name = "L_self_modules_layer2_modules_0_modules_bn1_buffers_running_var_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.970631
    std = 0.29401


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn1_parameters_weight_:
    name = "in_29"
    original_name = "L_self_modules_layer2_modules_0_modules_bn1_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01291
    std = 0.184807


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn1_parameters_bias_:
    name = "in_30"
    original_name = "L_self_modules_layer2_modules_0_modules_bn1_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0203746
    std = 0.183113


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_conv2_parameters_weight_:
    name = "in_31"
    original_name = "L_self_modules_layer2_modules_0_modules_conv2_parameters_weight_"
    shape = [128, 128, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.70625e-05
    std = 0.0417627


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_32"
    original_name = "L_self_modules_layer2_modules_0_modules_bn2_buffers_running_mean_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0178437
    std = 0.207554


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn2_buffers_running_var_:
    name = "in_33"
    original_name = "L_self_modules_layer2_modules_0_modules_bn2_buffers_running_var_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.994671
    std = 0.297153


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn2_parameters_weight_:
    name = "in_34"
    original_name = "L_self_modules_layer2_modules_0_modules_bn2_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.022086
    std = 0.193981


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_bn2_parameters_bias_:
    name = "in_35"
    original_name = "L_self_modules_layer2_modules_0_modules_bn2_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00126507
    std = 0.159429


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_downsample_modules_0_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_layer2_modules_0_modules_downsample_modules_0_parameters_weight_"
    shape = [128, 64, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000260685
    std = 0.125149


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_downsample_modules_1_buffers_running_mean_:
    name = "in_37"
    original_name = "L_self_modules_layer2_modules_0_modules_downsample_modules_1_buffers_running_mean_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000876084
    std = 0.220971


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_downsample_modules_1_buffers_running_var_:
    name = "in_38"
    original_name = "L_self_modules_layer2_modules_0_modules_downsample_modules_1_buffers_running_var_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.981678
    std = 0.273984


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_downsample_modules_1_parameters_weight_:
    name = "in_39"
    original_name = "L_self_modules_layer2_modules_0_modules_downsample_modules_1_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00654
    std = 0.204974


class Program_weight_tensor_meta_L_self_modules_layer2_modules_0_modules_downsample_modules_1_parameters_bias_:
    name = "in_40"
    original_name = "L_self_modules_layer2_modules_0_modules_downsample_modules_1_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0206171
    std = 0.206321


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_conv1_parameters_weight_:
    name = "in_41"
    original_name = "L_self_modules_layer2_modules_1_modules_conv1_parameters_weight_"
    shape = [128, 128, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.35453e-05
    std = 0.0417105


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn1_buffers_running_mean_:
    name = "in_42"
    original_name = "L_self_modules_layer2_modules_1_modules_bn1_buffers_running_mean_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0226299
    std = 0.209222


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn1_buffers_running_var_:
    name = "in_43"
    original_name = "L_self_modules_layer2_modules_1_modules_bn1_buffers_running_var_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00613
    std = 0.29196


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn1_parameters_weight_:
    name = "in_44"
    original_name = "L_self_modules_layer2_modules_1_modules_bn1_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01663
    std = 0.187148


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn1_parameters_bias_:
    name = "in_45"
    original_name = "L_self_modules_layer2_modules_1_modules_bn1_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000331737
    std = 0.209413


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_conv2_parameters_weight_:
    name = "in_46"
    original_name = "L_self_modules_layer2_modules_1_modules_conv2_parameters_weight_"
    shape = [128, 128, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.66662e-06
    std = 0.041727


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn2_buffers_running_mean_:
    name = "in_47"
    original_name = "L_self_modules_layer2_modules_1_modules_bn2_buffers_running_mean_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0236767
    std = 0.189677


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn2_buffers_running_var_:
    name = "in_48"
    original_name = "L_self_modules_layer2_modules_1_modules_bn2_buffers_running_var_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01825
    std = 0.269642


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn2_parameters_weight_:
    name = "in_49"
    original_name = "L_self_modules_layer2_modules_1_modules_bn2_parameters_weight_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0024984
    std = 0.161735


class Program_weight_tensor_meta_L_self_modules_layer2_modules_1_modules_bn2_parameters_bias_:
    name = "in_50"
    original_name = "L_self_modules_layer2_modules_1_modules_bn2_parameters_bias_"
    shape = [128]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0159018
    std = 0.206805


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_conv1_parameters_weight_:
    name = "in_51"
    original_name = "L_self_modules_layer3_modules_0_modules_conv1_parameters_weight_"
    shape = [256, 128, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 9.82039e-06
    std = 0.0294479


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn1_buffers_running_mean_:
    name = "in_52"
    original_name = "L_self_modules_layer3_modules_0_modules_bn1_buffers_running_mean_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0168657
    std = 0.212486


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn1_buffers_running_var_:
    name = "in_53"
    original_name = "L_self_modules_layer3_modules_0_modules_bn1_buffers_running_var_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.995054
    std = 0.28853


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn1_parameters_weight_:
    name = "in_54"
    original_name = "L_self_modules_layer3_modules_0_modules_bn1_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00863
    std = 0.202906


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn1_parameters_bias_:
    name = "in_55"
    original_name = "L_self_modules_layer3_modules_0_modules_bn1_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0102211
    std = 0.187071


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_conv2_parameters_weight_:
    name = "in_56"
    original_name = "L_self_modules_layer3_modules_0_modules_conv2_parameters_weight_"
    shape = [256, 256, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 7.76601e-06
    std = 0.0294521


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_57"
    original_name = "L_self_modules_layer3_modules_0_modules_bn2_buffers_running_mean_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00735135
    std = 0.202691


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn2_buffers_running_var_:
    name = "in_58"
    original_name = "L_self_modules_layer3_modules_0_modules_bn2_buffers_running_var_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01484
    std = 0.296357


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn2_parameters_weight_:
    name = "in_59"
    original_name = "L_self_modules_layer3_modules_0_modules_bn2_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.64706e-05
    std = 0.208964


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_bn2_parameters_bias_:
    name = "in_60"
    original_name = "L_self_modules_layer3_modules_0_modules_bn2_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00126129
    std = 0.227919


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_downsample_modules_0_parameters_weight_:
    name = "in_61"
    original_name = "L_self_modules_layer3_modules_0_modules_downsample_modules_0_parameters_weight_"
    shape = [256, 128, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000492987
    std = 0.0882312


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_downsample_modules_1_buffers_running_mean_:
    name = "in_62"
    original_name = "L_self_modules_layer3_modules_0_modules_downsample_modules_1_buffers_running_mean_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00428002
    std = 0.194119


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_downsample_modules_1_buffers_running_var_:
    name = "in_63"
    original_name = "L_self_modules_layer3_modules_0_modules_downsample_modules_1_buffers_running_var_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.0117
    std = 0.288915


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_downsample_modules_1_parameters_weight_:
    name = "in_64"
    original_name = "L_self_modules_layer3_modules_0_modules_downsample_modules_1_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.0002
    std = 0.202915


class Program_weight_tensor_meta_L_self_modules_layer3_modules_0_modules_downsample_modules_1_parameters_bias_:
    name = "in_65"
    original_name = "L_self_modules_layer3_modules_0_modules_downsample_modules_1_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0124917
    std = 0.194828


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_conv1_parameters_weight_:
    name = "in_66"
    original_name = "L_self_modules_layer3_modules_1_modules_conv1_parameters_weight_"
    shape = [256, 256, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.90215e-05
    std = 0.0293995


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn1_buffers_running_mean_:
    name = "in_67"
    original_name = "L_self_modules_layer3_modules_1_modules_bn1_buffers_running_mean_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0254834
    std = 0.206256


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn1_buffers_running_var_:
    name = "in_68"
    original_name = "L_self_modules_layer3_modules_1_modules_bn1_buffers_running_var_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.02195
    std = 0.275034


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn1_parameters_weight_:
    name = "in_69"
    original_name = "L_self_modules_layer3_modules_1_modules_bn1_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00666
    std = 0.199381


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn1_parameters_bias_:
    name = "in_70"
    original_name = "L_self_modules_layer3_modules_1_modules_bn1_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0130007
    std = 0.205364


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_conv2_parameters_weight_:
    name = "in_71"
    original_name = "L_self_modules_layer3_modules_1_modules_conv2_parameters_weight_"
    shape = [256, 256, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.70252e-05
    std = 0.0294864


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn2_buffers_running_mean_:
    name = "in_72"
    original_name = "L_self_modules_layer3_modules_1_modules_bn2_buffers_running_mean_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00618373
    std = 0.199923


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn2_buffers_running_var_:
    name = "in_73"
    original_name = "L_self_modules_layer3_modules_1_modules_bn2_buffers_running_var_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.990179
    std = 0.292184


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn2_parameters_weight_:
    name = "in_74"
    original_name = "L_self_modules_layer3_modules_1_modules_bn2_parameters_weight_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0307939
    std = 0.196161


class Program_weight_tensor_meta_L_self_modules_layer3_modules_1_modules_bn2_parameters_bias_:
    name = "in_75"
    original_name = "L_self_modules_layer3_modules_1_modules_bn2_parameters_bias_"
    shape = [256]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00203583
    std = 0.1982


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_conv1_parameters_weight_:
    name = "in_76"
    original_name = "L_self_modules_layer4_modules_0_modules_conv1_parameters_weight_"
    shape = [512, 256, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.1244e-05
    std = 0.0208282


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn1_buffers_running_mean_:
    name = "in_77"
    original_name = "L_self_modules_layer4_modules_0_modules_bn1_buffers_running_mean_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0216437
    std = 0.192722


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn1_buffers_running_var_:
    name = "in_78"
    original_name = "L_self_modules_layer4_modules_0_modules_bn1_buffers_running_var_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.02205
    std = 0.285874


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn1_parameters_weight_:
    name = "in_79"
    original_name = "L_self_modules_layer4_modules_0_modules_bn1_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.989149
    std = 0.21241


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn1_parameters_bias_:
    name = "in_80"
    original_name = "L_self_modules_layer4_modules_0_modules_bn1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0097016
    std = 0.193327


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_conv2_parameters_weight_:
    name = "in_81"
    original_name = "L_self_modules_layer4_modules_0_modules_conv2_parameters_weight_"
    shape = [512, 512, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.40267e-05
    std = 0.0208311


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn2_buffers_running_mean_:
    name = "in_82"
    original_name = "L_self_modules_layer4_modules_0_modules_bn2_buffers_running_mean_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0011118
    std = 0.196186


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn2_buffers_running_var_:
    name = "in_83"
    original_name = "L_self_modules_layer4_modules_0_modules_bn2_buffers_running_var_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.02811
    std = 0.287975


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn2_parameters_weight_:
    name = "in_84"
    original_name = "L_self_modules_layer4_modules_0_modules_bn2_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000509893
    std = 0.196132


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_bn2_parameters_bias_:
    name = "in_85"
    original_name = "L_self_modules_layer4_modules_0_modules_bn2_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.8735e-05
    std = 0.198528


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_downsample_modules_0_parameters_weight_:
    name = "in_86"
    original_name = "L_self_modules_layer4_modules_0_modules_downsample_modules_0_parameters_weight_"
    shape = [512, 256, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000442595
    std = 0.0623866


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_downsample_modules_1_buffers_running_mean_:
    name = "in_87"
    original_name = "L_self_modules_layer4_modules_0_modules_downsample_modules_1_buffers_running_mean_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00356521
    std = 0.197805


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_downsample_modules_1_buffers_running_var_:
    name = "in_88"
    original_name = "L_self_modules_layer4_modules_0_modules_downsample_modules_1_buffers_running_var_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.995677
    std = 0.292492


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_downsample_modules_1_parameters_weight_:
    name = "in_89"
    original_name = "L_self_modules_layer4_modules_0_modules_downsample_modules_1_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01692
    std = 0.197072


class Program_weight_tensor_meta_L_self_modules_layer4_modules_0_modules_downsample_modules_1_parameters_bias_:
    name = "in_90"
    original_name = "L_self_modules_layer4_modules_0_modules_downsample_modules_1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0186167
    std = 0.195145


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_conv1_parameters_weight_:
    name = "in_91"
    original_name = "L_self_modules_layer4_modules_1_modules_conv1_parameters_weight_"
    shape = [512, 512, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.34464e-05
    std = 0.0208222


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn1_buffers_running_mean_:
    name = "in_92"
    original_name = "L_self_modules_layer4_modules_1_modules_bn1_buffers_running_mean_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00159862
    std = 0.194636


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn1_buffers_running_var_:
    name = "in_93"
    original_name = "L_self_modules_layer4_modules_1_modules_bn1_buffers_running_var_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01557
    std = 0.297328


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn1_parameters_weight_:
    name = "in_94"
    original_name = "L_self_modules_layer4_modules_1_modules_bn1_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.993118
    std = 0.195322


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn1_parameters_bias_:
    name = "in_95"
    original_name = "L_self_modules_layer4_modules_1_modules_bn1_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0147781
    std = 0.189389


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_conv2_parameters_weight_:
    name = "in_96"
    original_name = "L_self_modules_layer4_modules_1_modules_conv2_parameters_weight_"
    shape = [512, 512, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.51337e-05
    std = 0.020832


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn2_buffers_running_mean_:
    name = "in_97"
    original_name = "L_self_modules_layer4_modules_1_modules_bn2_buffers_running_mean_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00690843
    std = 0.200822


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn2_buffers_running_var_:
    name = "in_98"
    original_name = "L_self_modules_layer4_modules_1_modules_bn2_buffers_running_var_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.989409
    std = 0.2841


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn2_parameters_weight_:
    name = "in_99"
    original_name = "L_self_modules_layer4_modules_1_modules_bn2_parameters_weight_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00274461
    std = 0.201526


class Program_weight_tensor_meta_L_self_modules_layer4_modules_1_modules_bn2_parameters_bias_:
    name = "in_100"
    original_name = "L_self_modules_layer4_modules_1_modules_bn2_parameters_bias_"
    shape = [512]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00141061
    std = 0.20402


class Program_weight_tensor_meta_L_self_modules_fc_parameters_weight_:
    name = "in_101"
    original_name = "L_self_modules_fc_parameters_weight_"
    shape = [1000, 512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.76333e-05
    std = 0.0255276


class Program_weight_tensor_meta_L_self_modules_fc_parameters_bias_:
    name = "in_102"
    original_name = "L_self_modules_fc_parameters_bias_"
    shape = [1000]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000767449
    std = 0.0251551
