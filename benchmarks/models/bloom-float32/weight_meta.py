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
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.98268e-06
    std = 0.0500054


class Program_weight_tensor_meta_L_self_modules_word_embeddings_layernorm_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_word_embeddings_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.998019
    std = 0.205204


class Program_weight_tensor_meta_L_self_modules_word_embeddings_layernorm_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_word_embeddings_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00100304
    std = 0.203597


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_input_layernorm_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_h_modules_0_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00186
    std = 0.201193


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_input_layernorm_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_h_modules_0_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00383517
    std = 0.200572


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.3893e-05
    std = 0.0500143


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00291383
    std = 0.204391


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.29218e-05
    std = 0.0500344


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_h_modules_0_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0107737
    std = 0.198033


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.996528
    std = 0.202005


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_h_modules_0_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0050363
    std = 0.196638


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.99451e-05
    std = 0.0500319


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00205194
    std = 0.1986


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = 6.48781e-06
    std = 0.0499918


class Program_weight_tensor_meta_L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_h_modules_0_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00084304
    std = 0.206891


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_input_layernorm_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_h_modules_1_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00054
    std = 0.203138


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_input_layernorm_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_h_modules_1_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00501888
    std = 0.196298


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.01704e-05
    std = 0.0500093


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00206495
    std = 0.197084


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.78559e-06
    std = 0.0499625


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_h_modules_1_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.77433e-05
    std = 0.199182


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_weight_:
    name = "in_22"
    original_name = "L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.995024
    std = 0.200393


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_bias_:
    name = "in_23"
    original_name = "L_self_modules_h_modules_1_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000539562
    std = 0.19692


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.11446e-05
    std = 0.0500063


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_25"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00137717
    std = 0.202491


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.91305e-06
    std = 0.0499982


class Program_weight_tensor_meta_L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_27"
    original_name = "L_self_modules_h_modules_1_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000443075
    std = 0.210796


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_input_layernorm_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_h_modules_2_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00643
    std = 0.200008


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_input_layernorm_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_h_modules_2_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00264784
    std = 0.203792


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.95064e-06
    std = 0.0499792


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_31"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00200319
    std = 0.205056


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.04405e-05
    std = 0.0499945


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_33"
    original_name = "L_self_modules_h_modules_2_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00481639
    std = 0.200749


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_weight_:
    name = "in_34"
    original_name = "L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.99339
    std = 0.208908


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_bias_:
    name = "in_35"
    original_name = "L_self_modules_h_modules_2_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00768264
    std = 0.204336


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.86542e-05
    std = 0.0499971


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_37"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000706963
    std = 0.197748


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = 6.57404e-06
    std = 0.0499788


class Program_weight_tensor_meta_L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_39"
    original_name = "L_self_modules_h_modules_2_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00316121
    std = 0.200788


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_input_layernorm_parameters_weight_:
    name = "in_40"
    original_name = "L_self_modules_h_modules_3_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.999212
    std = 0.192466


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_input_layernorm_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_h_modules_3_modules_input_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00194116
    std = 0.201027


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.46672e-05
    std = 0.0499736


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_query_key_value_parameters_bias_"
    shape = [3072]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000356906
    std = 0.193286


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_weight_:
    name = "in_44"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000122353
    std = 0.0500036


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_bias_:
    name = "in_45"
    original_name = "L_self_modules_h_modules_3_modules_self_attention_modules_dense_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0021959
    std = 0.195557


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_weight_:
    name = "in_46"
    original_name = "L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00549
    std = 0.198133


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_bias_:
    name = "in_47"
    original_name = "L_self_modules_h_modules_3_modules_post_attention_layernorm_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00412798
    std = 0.203499


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_weight_:
    name = "in_48"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.6287e-05
    std = 0.0499868


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_bias_:
    name = "in_49"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_h_to_4h_parameters_bias_"
    shape = [4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00482559
    std = 0.198343


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_weight_:
    name = "in_50"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.12318e-05
    std = 0.0499919


class Program_weight_tensor_meta_L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_bias_:
    name = "in_51"
    original_name = "L_self_modules_h_modules_3_modules_mlp_modules_dense_4h_to_h_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00955926
    std = 0.204953


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_weight_:
    name = "in_52"
    original_name = "L_self_modules_ln_f_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.99926
    std = 0.202839


class Program_weight_tensor_meta_L_self_modules_ln_f_parameters_bias_:
    name = "in_53"
    original_name = "L_self_modules_ln_f_parameters_bias_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00920575
    std = 0.203548
