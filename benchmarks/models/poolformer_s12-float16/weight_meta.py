class Program_weight_tensor_meta_L_self_modules_stem_modules_conv_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_stem_modules_conv_parameters_weight_"
    shape = [64, 3, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000196274
    std = 0.0200049


class Program_weight_tensor_meta_L_self_modules_stem_modules_conv_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_stem_modules_conv_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.018186
    std = 0.216557


class Program_weight_tensor_meta_L_x_:
    name = "in_2"
    original_name = "L_x_"
    shape = [1, 3, 224, 224]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0033603
    std = 1.00177


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.993614
    std = 0.197464


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00792319
    std = 0.205901


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_5"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00490275
    std = 0.231216


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01109
    std = 0.2157


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0268798
    std = 0.20188


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [256, 64, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000171513
    std = 0.01981


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0245891
    std = 0.210396


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [64, 256, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000119688
    std = 0.0199365


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.019812
    std = 0.194724


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_12"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00604346
    std = 0.240189


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01087
    std = 0.198229


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_14"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000848815
    std = 0.19816


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_15"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.020866
    std = 0.179791


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.02666
    std = 0.187685


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0171633
    std = 0.206313


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [256, 64, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000410965
    std = 0.0200712


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [256]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00990084
    std = 0.212369


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [64, 256, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000349095
    std = 0.0200755


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00115475
    std = 0.200237


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_22"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [64]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00626981
    std = 0.184541


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_weight_:
    name = "in_23"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_weight_"
    shape = [128, 64, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.21121e-05
    std = 0.0199735


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_bias_:
    name = "in_24"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_conv_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00233969
    std = 0.181339


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_25"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.99152
    std = 0.196573


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_26"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0152459
    std = 0.206867


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_27"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0385273
    std = 0.192576


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00393
    std = 0.203201


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00566968
    std = 0.202643


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [512, 128, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.56017e-06
    std = 0.0199729


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_31"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00685001
    std = 0.186774


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [128, 512, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.31136e-05
    std = 0.0199605


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_33"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0112062
    std = 0.177575


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_34"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0117738
    std = 0.211512


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_35"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.991901
    std = 0.216553


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_36"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0249698
    std = 0.17061


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_37"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00941776
    std = 0.191113


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.996809
    std = 0.195943


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_39"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.031632
    std = 0.209246


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_40"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [512, 128, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 7.79858e-05
    std = 0.0200609


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00677838
    std = 0.191343


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [128, 512, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.10274e-05
    std = 0.0199296


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00731458
    std = 0.215904


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_44"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [128]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00864583
    std = 0.174805


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_weight_:
    name = "in_45"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_weight_"
    shape = [320, 128, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.94146e-05
    std = 0.0200215


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_bias_:
    name = "in_46"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_conv_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00491715
    std = 0.195021


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_47"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01032
    std = 0.203005


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_48"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0263834
    std = 0.207863


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_49"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0231803
    std = 0.199328


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_50"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00336
    std = 0.205693


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_51"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0118489
    std = 0.199716


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_52"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.5299e-05
    std = 0.0200348


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_53"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00063022
    std = 0.204485


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_54"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.04304e-05
    std = 0.0199846


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_55"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00307768
    std = 0.20337


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_56"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0201844
    std = 0.188178


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_57"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.995731
    std = 0.189637


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_58"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000396818
    std = 0.199204


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_59"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00954744
    std = 0.204302


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_60"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01187
    std = 0.200623


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_61"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0161098
    std = 0.197413


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_62"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -7.41982e-06
    std = 0.0199758


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_63"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00152448
    std = 0.207552


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_64"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.883e-05
    std = 0.0200046


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_65"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00346424
    std = 0.19408


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_66"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0197649
    std = 0.211884


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_weight_:
    name = "in_67"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.987366
    std = 0.194867


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_bias_:
    name = "in_68"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00280094
    std = 0.194748


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale1_parameters_scale_:
    name = "in_69"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00945104
    std = 0.183964


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_weight_:
    name = "in_70"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01543
    std = 0.194873


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_bias_:
    name = "in_71"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0196023
    std = 0.195273


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_72"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.04831e-05
    std = 0.0199902


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_73"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00716488
    std = 0.196259


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_74"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.82178e-05
    std = 0.0199908


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_75"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0204101
    std = 0.205638


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale2_parameters_scale_:
    name = "in_76"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00328916
    std = 0.191102


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_weight_:
    name = "in_77"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00349
    std = 0.195021


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_bias_:
    name = "in_78"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00435366
    std = 0.197187


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale1_parameters_scale_:
    name = "in_79"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00550112
    std = 0.194232


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_weight_:
    name = "in_80"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.982367
    std = 0.188469


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_bias_:
    name = "in_81"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00128064
    std = 0.209775


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_82"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -6.93199e-06
    std = 0.0200096


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_83"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00489623
    std = 0.202414


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_84"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.90793e-05
    std = 0.0200191


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_85"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0258706
    std = 0.194164


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale2_parameters_scale_:
    name = "in_86"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00295742
    std = 0.193657


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_weight_:
    name = "in_87"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.99565
    std = 0.207495


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_bias_:
    name = "in_88"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00614373
    std = 0.190442


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale1_parameters_scale_:
    name = "in_89"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00753815
    std = 0.209671


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_weight_:
    name = "in_90"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00477
    std = 0.197331


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_bias_:
    name = "in_91"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00086737
    std = 0.201871


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_92"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.22694e-06
    std = 0.0200375


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_93"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00217547
    std = 0.202587


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_94"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.02751e-05
    std = 0.0199499


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_95"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00369408
    std = 0.210034


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale2_parameters_scale_:
    name = "in_96"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00903989
    std = 0.201341


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_weight_:
    name = "in_97"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00274
    std = 0.190426


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_bias_:
    name = "in_98"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0330368
    std = 0.211331


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale1_parameters_scale_:
    name = "in_99"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale1_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00701285
    std = 0.188106


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_weight_:
    name = "in_100"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00362
    std = 0.191655


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_bias_:
    name = "in_101"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0156856
    std = 0.201941


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_102"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -6.87667e-06
    std = 0.0200374


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_103"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00274047
    std = 0.197016


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_104"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.01705e-05
    std = 0.0199656


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_105"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00707645
    std = 0.209453


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale2_parameters_scale_:
    name = "in_106"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_layer_scale2_parameters_scale_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0135894
    std = 0.190429


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_weight_:
    name = "in_107"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_weight_"
    shape = [512, 320, 3, 3]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.61947e-05
    std = 0.020004


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_bias_:
    name = "in_108"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_conv_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00970002
    std = 0.20396


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_109"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00289
    std = 0.205689


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_110"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00921053
    std = 0.198405


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_:
    name = "in_111"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale1_parameters_scale_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000290111
    std = 0.201131


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_112"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00006
    std = 0.195162


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_113"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00648349
    std = 0.208915


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_114"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [2048, 512, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.36869e-05
    std = 0.0199829


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_115"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [2048]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000489005
    std = 0.196449


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_116"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [512, 2048, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.20439e-06
    std = 0.0200163


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_117"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0165327
    std = 0.211656


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_:
    name = "in_118"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_layer_scale2_parameters_scale_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00613991
    std = 0.190815


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_119"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00284
    std = 0.200744


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_120"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0114906
    std = 0.204355


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_:
    name = "in_121"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale1_parameters_scale_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00452569
    std = 0.200707


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_122"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00573
    std = 0.192524


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_123"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0105837
    std = 0.207913


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_124"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [2048, 512, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.72528e-05
    std = 0.020093


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_125"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [2048]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00422463
    std = 0.199587


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_126"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [512, 2048, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -5.03481e-07
    std = 0.0199905


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_127"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0147664
    std = 0.206184


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_:
    name = "in_128"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_layer_scale2_parameters_scale_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00372159
    std = 0.204295


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_weight_:
    name = "in_129"
    original_name = "L_self_modules_head_modules_norm_parameters_weight_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.996338
    std = 0.191743


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_bias_:
    name = "in_130"
    original_name = "L_self_modules_head_modules_norm_parameters_bias_"
    shape = [512]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0130129
    std = 0.20096


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_weight_:
    name = "in_131"
    original_name = "L_self_modules_head_modules_fc_parameters_weight_"
    shape = [1000, 512]
    dtype = "torch.float16"
    device = "cpu"
    mean = 7.4694e-06
    std = 0.0200192


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_bias_:
    name = "in_132"
    original_name = "L_self_modules_head_modules_fc_parameters_bias_"
    shape = [1000]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00270586
    std = 0.202518
