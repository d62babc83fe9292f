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
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.07961e-05
    std = 0.0499527


class Program_weight_tensor_meta_L_self_modules_rotary_emb_buffers_inv_freq_:
    name = "in_2"
    original_name = "L_self_modules_rotary_emb_buffers_inv_freq_"
    shape = [16]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.142797
    std = 0.275241
    data = [1.000000, 0.562500, 0.316162109375, 0.1778564453125, 0.0999755859375, 0.056243896484375, 0.0316162109375, 0.0177764892578125, 0.01000213623046875, 0.00562286376953125, 0.003162384033203125, 0.0017786026000976562, 0.0010004043579101562, 0.0005621910095214844, 0.0003161430358886719, 0.00017786026000976562]


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_input_layernorm_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_layers_modules_0_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00297
    std = 0.197659


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -5.27905e-05
    std = 0.0500577


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_5"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000217147
    std = 0.0499264


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000215647
    std = 0.0500196


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_7"
    original_name = "L_self_modules_layers_modules_0_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.03448e-05
    std = 0.0499418


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_layers_modules_0_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01588
    std = 0.201285


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_layers_modules_0_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.89871e-05
    std = 0.0499731


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_layers_modules_0_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.57754e-05
    std = 0.0499979


class Program_weight_tensor_meta_L_self_modules_layers_modules_0_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_11"
    original_name = "L_self_modules_layers_modules_0_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float16"
    device = "cpu"
    mean = 8.43758e-06
    std = 0.0499834


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_input_layernorm_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_layers_modules_1_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01019
    std = 0.204408


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_13"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -5.51054e-05
    std = 0.0499468


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00012762
    std = 0.0499614


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_15"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.44663e-05
    std = 0.050038


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_layers_modules_1_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.07857e-05
    std = 0.0499804


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_post_attention_layernorm_parameters_weight_:
    name = "in_17"
    original_name = "L_self_modules_layers_modules_1_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01213
    std = 0.20615


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_layers_modules_1_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.59862e-05
    std = 0.0499594


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_19"
    original_name = "L_self_modules_layers_modules_1_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.68003e-05
    std = 0.0499735


class Program_weight_tensor_meta_L_self_modules_layers_modules_1_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_layers_modules_1_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.8436e-05
    std = 0.0500068


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_input_layernorm_parameters_weight_:
    name = "in_21"
    original_name = "L_self_modules_layers_modules_2_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.989757
    std = 0.209817


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_22"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.86368e-05
    std = 0.0500193


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_23"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.96991e-05
    std = 0.0500666


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.99054e-05
    std = 0.050015


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_25"
    original_name = "L_self_modules_layers_modules_2_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.03225e-05
    std = 0.0499323


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_post_attention_layernorm_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_layers_modules_2_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00834
    std = 0.200128


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_27"
    original_name = "L_self_modules_layers_modules_2_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -8.03581e-05
    std = 0.0499889


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_layers_modules_2_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.51582e-05
    std = 0.0499679


class Program_weight_tensor_meta_L_self_modules_layers_modules_2_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_29"
    original_name = "L_self_modules_layers_modules_2_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.48944e-05
    std = 0.0500216


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_input_layernorm_parameters_weight_:
    name = "in_30"
    original_name = "L_self_modules_layers_modules_3_modules_input_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.989562
    std = 0.209121


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_q_proj_parameters_weight_:
    name = "in_31"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_q_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.63122e-05
    std = 0.0500597


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_k_proj_parameters_weight_:
    name = "in_32"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_k_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000118631
    std = 0.0500693


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_v_proj_parameters_weight_:
    name = "in_33"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_v_proj_parameters_weight_"
    shape = [256, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.99296e-05
    std = 0.0499451


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_self_attn_modules_o_proj_parameters_weight_:
    name = "in_34"
    original_name = "L_self_modules_layers_modules_3_modules_self_attn_modules_o_proj_parameters_weight_"
    shape = [1024, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.7385e-06
    std = 0.0500132


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_post_attention_layernorm_parameters_weight_:
    name = "in_35"
    original_name = "L_self_modules_layers_modules_3_modules_post_attention_layernorm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00135
    std = 0.191968


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_mlp_modules_gate_proj_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_layers_modules_3_modules_mlp_modules_gate_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.88173e-05
    std = 0.0500004


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_mlp_modules_up_proj_parameters_weight_:
    name = "in_37"
    original_name = "L_self_modules_layers_modules_3_modules_mlp_modules_up_proj_parameters_weight_"
    shape = [2816, 1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.6581e-06
    std = 0.0499816


class Program_weight_tensor_meta_L_self_modules_layers_modules_3_modules_mlp_modules_down_proj_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_layers_modules_3_modules_mlp_modules_down_proj_parameters_weight_"
    shape = [1024, 2816]
    dtype = "torch.float16"
    device = "cpu"
    mean = -7.78128e-05
    std = 0.0500003


class Program_weight_tensor_meta_L_self_modules_norm_parameters_weight_:
    name = "in_39"
    original_name = "L_self_modules_norm_parameters_weight_"
    shape = [1024]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.993279
    std = 0.201302
