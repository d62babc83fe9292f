class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm1_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm1_parameters_weight_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.00797
    std = 0.205255


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm1_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm1_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00112072
    std = 0.199063


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_qkv_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_qkv_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.16003e-05
    std = 0.0180461


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_qkv_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_qkv_parameters_bias_"
    shape = [3072]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -9.46067e-05
    std = 0.018208


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_proj_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 6.7466e-06
    std = 0.0180502


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_proj_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_attn_modules_proj_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000500576
    std = 0.0178621


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm2_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm2_parameters_weight_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.991978
    std = 0.196655


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm2_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_norm2_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00242764
    std = 0.20008


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -1.35696e-06
    std = 0.0180381


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [4096]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.20015e-06
    std = 0.0179472


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 9.30215e-06
    std = 0.00902513


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000173045
    std = 0.00899673


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm1_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm1_parameters_weight_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.993667
    std = 0.206397


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm1_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm1_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00111559
    std = 0.198117


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_qkv_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_qkv_parameters_weight_"
    shape = [3072, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -3.28135e-06
    std = 0.0180435


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_qkv_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_qkv_parameters_bias_"
    shape = [3072]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000132567
    std = 0.018124


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_proj_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -2.25457e-06
    std = 0.0180328


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_proj_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_attn_modules_proj_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000275186
    std = 0.0177567


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm2_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm2_parameters_weight_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.00128
    std = 0.191209


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm2_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_norm2_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00546458
    std = 0.191569


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [4096, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 6.46555e-06
    std = 0.0180481


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [4096]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000272848
    std = 0.0180381


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_22"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [1024, 4096]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 8.89144e-07
    std = 0.00901955


class Program_weight_tensor_meta_L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_23"
    original_name = "L_self_modules_transformers_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000654546
    std = 0.00905587


class Program_weight_tensor_meta_tmp_104:
    name = "in_24"
    original_name = "tmp_104"
    shape = [16, 1024, 16, 16]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00301718
    std = 0.372934


class Program_weight_tensor_meta_tmp_105:
    name = "in_25"
    original_name = "tmp_105"
    shape = [16, 1, 1024]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000182147
    std = 0.270334
