class Program_weight_tensor_meta_L_input_ids_:
    name = "in_0"
    original_name = "L_input_ids_"
    shape = [1, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 1023
    min_val = 9


class Program_weight_tensor_meta_L_self_modules_word_embeddings_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_word_embeddings_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.96924e-06
    std = 0.0500054


class Program_weight_tensor_meta_L_self_modules_word_embeddings_layernorm_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_word_embeddings_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.99802
    std = 0.205208


class Program_weight_tensor_meta_L_self_modules_word_embeddings_layernorm_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_word_embeddings_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00100246
    std = 0.203594


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_input_layernorm_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_h_modules_0_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00186
    std = 0.201193


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_input_layernorm_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_h_modules_0_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00383641
    std = 0.200575


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.39008e-05
    std = 0.0500143


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00291363
    std = 0.204391


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.29163e-05
    std = 0.0500344


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0107743
    std = 0.198033


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.996527
    std = 0.201999


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00503707
    std = 0.196641


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.99466e-05
    std = 0.0500319


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00205086
    std = 0.198601


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = 6.48116e-06
    std = 0.0499918


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000843134
    std = 0.206895


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_input_layernorm_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_h_modules_1_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00054
    std = 0.203159


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_input_layernorm_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_h_modules_1_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00502046
    std = 0.196298


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.01697e-05
    std = 0.0500093


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00206442
    std = 0.197084


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.78376e-06
    std = 0.0499625


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.72123e-05
    std = 0.19918


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_weight_:
    name = "in_22"
    original_name = "L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.995024
    std = 0.200389


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_bias_:
    name = "in_23"
    original_name = "L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000540888
    std = 0.19692


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.11385e-05
    std = 0.0500063


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_25"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00137801
    std = 0.20249


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.91322e-06
    std = 0.0499982


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_27"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000443322
    std = 0.210797


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_input_layernorm_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_h_modules_2_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00644
    std = 0.200009


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_input_layernorm_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_h_modules_2_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00264835
    std = 0.203791


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.94652e-06
    std = 0.0499791


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_31"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00200347
    std = 0.205057


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.04548e-05
    std = 0.0499945


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_33"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00481851
    std = 0.200749


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_weight_:
    name = "in_34"
    original_name = "L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.993384
    std = 0.208911


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_bias_:
    name = "in_35"
    original_name = "L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0076839
    std = 0.204335


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.86464e-05
    std = 0.0499971


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_37"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000706524
    std = 0.197749


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = 6.57358e-06
    std = 0.0499788


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_39"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00315927
    std = 0.200787


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_input_layernorm_parameters_weight_:
    name = "in_40"
    original_name = "L_self_modules_h_modules_3_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.999209
    std = 0.192472


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_input_layernorm_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_h_modules_3_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00194269
    std = 0.201025


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.46685e-05
    std = 0.0499736


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000356361
    std = 0.193284


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_44"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000122347
    std = 0.0500036


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_45"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00219364
    std = 0.195557


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_weight_:
    name = "in_46"
    original_name = "L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00548
    std = 0.198123


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_bias_:
    name = "in_47"
    original_name = "L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0041275
    std = 0.203497


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_48"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.62874e-05
    std = 0.0499868


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_49"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00482602
    std = 0.198344


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_50"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.12317e-05
    std = 0.0499919


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_51"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00955936
    std = 0.204955


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_weight_:
    name = "in_52"
    original_name = "L_self_modules_ln_f_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.999257
    std = 0.20284


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_bias_:
    name = "in_53"
    original_name = "L_self_modules_ln_f_parameters_bias_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00920414
    std = 0.203545
