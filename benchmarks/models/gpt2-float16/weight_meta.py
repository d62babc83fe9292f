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
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.21375e-05
    std = 0.050051


class Program_weight_tensor_meta_L_self_modules_wpe_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_wpe_parameters_weight_"
    shape = [1024, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 7.48585e-05
    std = 0.0499875


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_1_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_h_modules_0_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01063
    std = 0.200445


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_1_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_h_modules_0_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00415688
    std = 0.196484


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00478382
    std = 0.200108


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.8222e-05
    std = 0.0500099


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -5.16523e-05
    std = 0.199715


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_h_modules_0_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.0034e-05
    std = 0.0176538


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_2_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_h_modules_0_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00995
    std = 0.200087


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_ln_2_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_h_modules_0_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00652633
    std = 0.198973


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00207606
    std = 0.199842


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.45808e-05
    std = 0.049935


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0109797
    std = 0.198386


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 7.45926e-06
    std = 0.0176959


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_1_parameters_weight_:
    name = "in_15"
    original_name = "L_self_modules_h_modules_1_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.996749
    std = 0.198505


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_1_parameters_bias_:
    name = "in_16"
    original_name = "L_self_modules_h_modules_1_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00609522
    std = 0.194515


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00682617
    std = 0.201137


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.82273e-05
    std = 0.0500194


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00754608
    std = 0.199198


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_h_modules_1_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.87117e-08
    std = 0.0176655


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_2_parameters_weight_:
    name = "in_21"
    original_name = "L_self_modules_h_modules_1_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.992897
    std = 0.191867


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_ln_2_parameters_bias_:
    name = "in_22"
    original_name = "L_self_modules_h_modules_1_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0101689
    std = 0.203401


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_23"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00451483
    std = 0.201223


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 9.46516e-06
    std = 0.0500145


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_25"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00061298
    std = 0.198083


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.09995e-05
    std = 0.0176878


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_1_parameters_weight_:
    name = "in_27"
    original_name = "L_self_modules_h_modules_2_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.997911
    std = 0.203851


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_1_parameters_bias_:
    name = "in_28"
    original_name = "L_self_modules_h_modules_2_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0133354
    std = 0.204126


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00088472
    std = 0.204092


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.79986e-05
    std = 0.049965


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_31"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0188452
    std = 0.191304


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_h_modules_2_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.2274e-05
    std = 0.0176971


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_2_parameters_weight_:
    name = "in_33"
    original_name = "L_self_modules_h_modules_2_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00944
    std = 0.199892


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_ln_2_parameters_bias_:
    name = "in_34"
    original_name = "L_self_modules_h_modules_2_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00951633
    std = 0.200579


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_35"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00172094
    std = 0.202724


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.58149e-05
    std = 0.0499966


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_37"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00564554
    std = 0.19326


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 7.61756e-06
    std = 0.0176788


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_1_parameters_weight_:
    name = "in_39"
    original_name = "L_self_modules_h_modules_3_modules_ln_1_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00372
    std = 0.195697


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_1_parameters_bias_:
    name = "in_40"
    original_name = "L_self_modules_h_modules_3_modules_ln_1_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00667391
    std = 0.197158


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_bias_"
    shape = [2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00140532
    std = 0.197621


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_attn_parameters_weight_"
    shape = [768, 2304]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.47556e-05
    std = 0.0499648


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00899754
    std = 0.198964


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_weight_:
    name = "in_44"
    original_name = "L_self_modules_h_modules_3_modules_attn_modules_c_proj_parameters_weight_"
    shape = [768, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.23509e-05
    std = 0.0176401


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_2_parameters_weight_:
    name = "in_45"
    original_name = "L_self_modules_h_modules_3_modules_ln_2_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.995861
    std = 0.198104


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_ln_2_parameters_bias_:
    name = "in_46"
    original_name = "L_self_modules_h_modules_3_modules_ln_2_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000430128
    std = 0.203016


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_bias_:
    name = "in_47"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00154685
    std = 0.199271


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_weight_:
    name = "in_48"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_fc_parameters_weight_"
    shape = [768, 3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.07984e-05
    std = 0.0500062


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_bias_:
    name = "in_49"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0111656
    std = 0.204551


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_weight_:
    name = "in_50"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_c_proj_parameters_weight_"
    shape = [3072, 768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.36925e-06
    std = 0.017679


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_weight_:
    name = "in_51"
    original_name = "L_self_modules_ln_f_parameters_weight_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.995172
    std = 0.202574


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_bias_:
    name = "in_52"
    original_name = "L_self_modules_ln_f_parameters_bias_"
    shape = [768]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00432391
    std = 0.205503
