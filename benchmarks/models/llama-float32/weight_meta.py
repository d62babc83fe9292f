class Program_weight_tensor_meta_L_kwargs_input_ids_:
    name = "in_0"
    original_name = "L_kwargs_input_ids_"
    shape = [1, 128]
    dtype = "torch.int64"
    device = "cpu"
    mean = None
    std = None
    max_val = 1016
    min_val = 16


class Program_weight_tensor_meta_L_self_modules_embed_tokens_parameters_weight_:
    name = "in_1"
    original_name = "L_self_modules_embed_tokens_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.07838e-05
    std = 0.0499527


class Program_weight_tensor_meta_L_self_modules_rotary_emb_buffers_inv_freq_:
    name = "in_2"
    original_name = "L_self_modules_rotary_emb_buffers_inv_freq_"
    shape = [16]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.142791
    std = 0.275227
    data = [1.000000, 0.5623413324356079, 0.3162277638912201, 0.17782793939113617, 0.10000000149011612, 0.05623412877321243, 0.03162277862429619, 0.017782794311642647, 0.009999999776482582, 0.005623413249850273, 0.003162277862429619, 0.0017782794311642647, 0.0010000000474974513, 0.000562341301701963, 0.0003162277862429619, 0.00017782794020604342]


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_input_layernorm_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_layers_modules_0_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00297
    std = 0.197658


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.27845e-05
    std = 0.0500577


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_5"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000217174
    std = 0.0499264


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000215634
    std = 0.0500196


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_7"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.0359e-05
    std = 0.0499418


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01589
    std = 0.201292


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_layers_modules_0_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.89862e-05
    std = 0.0499731


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_layers_modules_0_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.57719e-05
    std = 0.0499979


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_11"
    original_name = "L_self_modules_layers_modules_0_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float32"
    device = "cpu"
    mean = 8.42946e-06
    std = 0.0499834


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_input_layernorm_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_layers_modules_1_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.0102
    std = 0.204415


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.51113e-05
    std = 0.0499469


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000127602
    std = 0.0499613


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_15"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.44558e-05
    std = 0.050038


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.07921e-05
    std = 0.0499804


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_post_attention_layernorm_parameters_weight_:
    name = "in_17"
    original_name = "L_self_modules_layers_modules_1_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01212
    std = 0.20615


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_layers_modules_1_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.59853e-05
    std = 0.0499594


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_19"
    original_name = "L_self_modules_layers_modules_1_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.67876e-05
    std = 0.0499735


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_layers_modules_1_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.84308e-05
    std = 0.0500068


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_input_layernorm_parameters_weight_:
    name = "in_21"
    original_name = "L_self_modules_layers_modules_2_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.989753
    std = 0.209825


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_22"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.86194e-05
    std = 0.0500193


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_23"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.9682e-05
    std = 0.0500666


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.98977e-05
    std = 0.0500151


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_25"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.03097e-05
    std = 0.0499323


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_post_attention_layernorm_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_layers_modules_2_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00834
    std = 0.200127


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_27"
    original_name = "L_self_modules_layers_modules_2_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -8.03494e-05
    std = 0.0499888


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_layers_modules_2_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -4.51579e-05
    std = 0.0499679


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_29"
    original_name = "L_self_modules_layers_modules_2_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.4891e-05
    std = 0.0500216


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_input_layernorm_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_layers_modules_3_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.98955
    std = 0.209127


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_31"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.63091e-05
    std = 0.0500597


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000118626
    std = 0.0500694


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_33"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.99095e-05
    std = 0.0499451


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_34"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.7335e-06
    std = 0.0500132


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_post_attention_layernorm_parameters_weight_:
    name = "in_35"
    original_name = "L_self_modules_layers_modules_3_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00135
    std = 0.191967


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_layers_modules_3_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.88246e-05
    std = 0.0500004


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_37"
    original_name = "L_self_modules_layers_modules_3_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = -4.65236e-06
    std = 0.0499816


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_layers_modules_3_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float32"
    device = "cpu"
    mean = -7.78222e-05
    std = 0.0500003


class Program_weight_tensor_meta_L_self_modules_norm_parameters_weight_:
    name = "in_39"
    original_name = "L_self_modules_norm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.993286
    std = 0.201306
