class Program_weight_tensor_meta_L_kwargs_input_ids_:
    name = "in_0"
    original_name = "L_kwargs_input_ids_"
    shape = [1, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 1018
    min_val = 4


class Program_weight_tensor_meta_L_self_modules_wte_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_wte_parameters_weight_"
    shape = [1024, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.21336e-05
    std = 0.050051


class Program_weight_tensor_meta_L_self_modules_wpe_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_wpe_parameters_weight_"
    shape = [1024, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 7.48707e-05
    std = 0.0499875


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_1_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_h_modules_0_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01062
    std = 0.200451


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_1_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_h_modules_0_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00415705
    std = 0.196485


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0047857
    std = 0.200107


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.82259e-05
    std = 0.0500099


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.28072e-05
    std = 0.199716


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.00375e-05
    std = 0.0176538


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_2_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_h_modules_0_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00995
    std = 0.200096


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_2_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_h_modules_0_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00652627
    std = 0.198978


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00207625
    std = 0.199843


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.4594e-05
    std = 0.049935


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0109809
    std = 0.198384


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 7.46081e-06
    std = 0.0176959


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_1_parameters_weight_:
    name = "in_15"
    original_name = "L_self_modules_h_modules_1_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.996746
    std = 0.198496


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_1_parameters_bias_:
    name = "in_16"
    original_name = "L_self_modules_h_modules_1_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00609591
    std = 0.194516


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00682579
    std = 0.201136


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.82146e-05
    std = 0.0500194


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00754278
    std = 0.199202


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.13865e-08
    std = 0.0176655


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_2_parameters_weight_:
    name = "in_21"
    original_name = "L_self_modules_h_modules_1_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.992891
    std = 0.191863


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_2_parameters_bias_:
    name = "in_22"
    original_name = "L_self_modules_h_modules_1_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0101683
    std = 0.203405


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_23"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0045166
    std = 0.201223


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 9.46175e-06
    std = 0.0500145


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_25"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000612874
    std = 0.198088


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.09947e-05
    std = 0.0176878


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_1_parameters_weight_:
    name = "in_27"
    original_name = "L_self_modules_h_modules_2_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.997913
    std = 0.203869


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_1_parameters_bias_:
    name = "in_28"
    original_name = "L_self_modules_h_modules_2_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0133348
    std = 0.204124


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000885205
    std = 0.204091


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.79906e-05
    std = 0.049965


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_31"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0188479
    std = 0.191307


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.22755e-05
    std = 0.0176971


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_2_parameters_weight_:
    name = "in_33"
    original_name = "L_self_modules_h_modules_2_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00944
    std = 0.199887


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_2_parameters_bias_:
    name = "in_34"
    original_name = "L_self_modules_h_modules_2_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00951787
    std = 0.20058


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_35"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00172111
    std = 0.202725


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = -4.58149e-05
    std = 0.0499966


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_37"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00564544
    std = 0.193259


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 7.61644e-06
    std = 0.0176788


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_1_parameters_weight_:
    name = "in_39"
    original_name = "L_self_modules_h_modules_3_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00372
    std = 0.1957


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_1_parameters_bias_:
    name = "in_40"
    original_name = "L_self_modules_h_modules_3_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00667468
    std = 0.197156


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00140627
    std = 0.197623


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.47719e-05
    std = 0.0499648


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00899794
    std = 0.198965


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_44"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.23428e-05
    std = 0.0176401


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_2_parameters_weight_:
    name = "in_45"
    original_name = "L_self_modules_h_modules_3_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.99586
    std = 0.198093


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_2_parameters_bias_:
    name = "in_46"
    original_name = "L_self_modules_h_modules_3_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000428014
    std = 0.203019


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_47"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0015459
    std = 0.199271


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_48"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.08061e-05
    std = 0.0500062


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_49"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0111664
    std = 0.204546


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_50"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.37177e-06
    std = 0.017679


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_weight_:
    name = "in_51"
    original_name = "L_self_modules_ln_f_parameters_weight_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.995175
    std = 0.202569


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_bias_:
    name = "in_52"
    original_name = "L_self_modules_ln_f_parameters_bias_"
    shape = [768]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00432237
    std = 0.205501
