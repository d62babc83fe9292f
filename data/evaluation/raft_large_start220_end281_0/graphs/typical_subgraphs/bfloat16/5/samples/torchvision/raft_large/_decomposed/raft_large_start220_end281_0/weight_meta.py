class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convcorr1_modules_0_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convcorr1_modules_0_parameters_weight_"
    shape = [256, 324, 1, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -3.43572e-05
    std = 0.03212


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convcorr1_modules_0_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convcorr1_modules_0_parameters_bias_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00157209
    std = 0.0311715


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convcorr2_modules_0_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convcorr2_modules_0_parameters_weight_"
    shape = [192, 256, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -4.39097e-06
    std = 0.0120263


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convcorr2_modules_0_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convcorr2_modules_0_parameters_bias_"
    shape = [192]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00118136
    std = 0.0116173


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convflow1_modules_0_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convflow1_modules_0_parameters_weight_"
    shape = [128, 2, 7, 7]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000296717
    std = 0.0579403


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convflow1_modules_0_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convflow1_modules_0_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00558024
    std = 0.0524705


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convflow2_modules_0_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convflow2_modules_0_parameters_weight_"
    shape = [64, 128, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.63388e-06
    std = 0.017022


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_convflow2_modules_0_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_convflow2_modules_0_parameters_bias_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000363888
    std = 0.0173593


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_conv_modules_0_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_conv_modules_0_parameters_weight_"
    shape = [126, 256, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 3.43054e-06
    std = 0.0120249


class Program_weight_tensor_meta_L_self_modules_update_block_modules_motion_encoder_modules_conv_modules_0_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_update_block_modules_motion_encoder_modules_conv_modules_0_parameters_bias_"
    shape = [126]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000516575
    std = 0.0118182


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convz_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convz_parameters_weight_"
    shape = [128, 384, 1, 5]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 8.96108e-06
    std = 0.0131824


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convz_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convz_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0013693
    std = 0.0126867


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convr_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convr_parameters_weight_"
    shape = [128, 384, 1, 5]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -2.31795e-05
    std = 0.0131785


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convr_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convr_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00110397
    std = 0.0135588


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convq_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convq_parameters_weight_"
    shape = [128, 384, 1, 5]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 2.12877e-05
    std = 0.0131634


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convq_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru1_modules_convq_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00104412
    std = 0.0138548


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convz_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convz_parameters_weight_"
    shape = [128, 384, 5, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 4.58942e-05
    std = 0.0131858


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convz_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convz_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000474859
    std = 0.0133127


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convr_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convr_parameters_weight_"
    shape = [128, 384, 5, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 2.59218e-05
    std = 0.0131825


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convr_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convr_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00101566
    std = 0.0135393


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convq_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convq_parameters_weight_"
    shape = [128, 384, 5, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -4.61642e-06
    std = 0.0131746


class Program_weight_tensor_meta_L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convq_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_update_block_modules_recurrent_block_modules_convgru2_modules_convq_parameters_bias_"
    shape = [128]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00220589
    std = 0.0125916


class Program_weight_tensor_meta_L_self_modules_update_block_modules_flow_head_modules_conv1_parameters_weight_:
    name = "in_22"
    original_name = "L_self_modules_update_block_modules_flow_head_modules_conv1_parameters_weight_"
    shape = [256, 128, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.69419e-05
    std = 0.0170132


class Program_weight_tensor_meta_L_self_modules_update_block_modules_flow_head_modules_conv1_parameters_bias_:
    name = "in_23"
    original_name = "L_self_modules_update_block_modules_flow_head_modules_conv1_parameters_bias_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000857047
    std = 0.01724


class Program_weight_tensor_meta_L_self_modules_update_block_modules_flow_head_modules_conv2_parameters_weight_:
    name = "in_24"
    original_name = "L_self_modules_update_block_modules_flow_head_modules_conv2_parameters_weight_"
    shape = [2, 256, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 6.62652e-05
    std = 0.0119137


class Program_weight_tensor_meta_L_self_modules_update_block_modules_flow_head_modules_conv2_parameters_bias_:
    name = "in_25"
    original_name = "L_self_modules_update_block_modules_flow_head_modules_conv2_parameters_bias_"
    shape = [2]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000127714
    std = 0.00673933
    data = [0.0048931366764009, -0.00463770842179656]


class Program_weight_tensor_meta_L_self_modules_mask_predictor_modules_convrelu_modules_0_parameters_weight_:
    name = "in_26"
    original_name = "L_self_modules_mask_predictor_modules_convrelu_modules_0_parameters_weight_"
    shape = [256, 128, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 5.55746e-05
    std = 0.0169892


class Program_weight_tensor_meta_L_self_modules_mask_predictor_modules_convrelu_modules_0_parameters_bias_:
    name = "in_27"
    original_name = "L_self_modules_mask_predictor_modules_convrelu_modules_0_parameters_bias_"
    shape = [256]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00125572
    std = 0.0180005


class Program_weight_tensor_meta_L_self_modules_mask_predictor_modules_conv_parameters_weight_:
    name = "in_28"
    original_name = "L_self_modules_mask_predictor_modules_conv_parameters_weight_"
    shape = [576, 256, 1, 1]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 5.1162e-05
    std = 0.0360462


class Program_weight_tensor_meta_L_self_modules_mask_predictor_modules_conv_parameters_bias_:
    name = "in_29"
    original_name = "L_self_modules_mask_predictor_modules_conv_parameters_bias_"
    shape = [576]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00101229
    std = 0.0359963


class Program_weight_tensor_meta_tmp_131:
    name = "in_30"
    original_name = "tmp_131"
    shape = [256, 128, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.014244
    std = 0.887871


class Program_weight_tensor_meta_tmp_132:
    name = "in_31"
    original_name = "tmp_132"
    shape = [256, 128, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 1.41612
    std = 1.99679


class Program_weight_tensor_meta_tmp_142:
    name = "in_32"
    original_name = "tmp_142"
    shape = [256, 2, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 7.500
    std = 4.61202


class Program_weight_tensor_meta_tmp_153:
    name = "in_33"
    original_name = "tmp_153"
    shape = [256, 2, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 7.500
    std = 4.61202


class Program_weight_tensor_meta_tmp_176:
    name = "in_34"
    original_name = "tmp_176"
    shape = [256, 4, 4, 81]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 13.8876
    std = 8.84078


class Program_weight_tensor_meta_tmp_190:
    name = "in_35"
    original_name = "tmp_190"
    shape = [256, 4, 4, 81]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 9.58003
    std = 9.0804


class Program_weight_tensor_meta_tmp_204:
    name = "in_36"
    original_name = "tmp_204"
    shape = [256, 4, 4, 81]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 3.58839
    std = 6.61027


class Program_weight_tensor_meta_tmp_218:
    name = "in_37"
    original_name = "tmp_218"
    shape = [256, 4, 4, 81]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.897097
    std = 3.26711
