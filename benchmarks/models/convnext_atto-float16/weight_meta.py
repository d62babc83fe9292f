class Program_weight_tensor_meta_L_self_modules_stem_modules_0_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_stem_modules_0_parameters_weight_"
    shape = [40, 3, 4, 4]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000489765
    std = 0.0199946


class Program_weight_tensor_meta_L_self_modules_stem_modules_0_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_stem_modules_0_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0361474
    std = 0.180334
    data = [-0.1207275390625, -0.0911865234375, 0.015533447265625, -0.2198486328125, -0.11370849609375, -0.263671875, 0.22265625, -0.1309814453125, -0.09918212890625, -0.39794921875, 0.2171630859375, 0.271240234375, -0.030303955078125, -0.1241455078125, -0.0119476318359375, 0.08331298828125, -0.265625, -0.173095703125, -0.033782958984375, -0.039581298828125, -0.490234375, 0.305908203125, 0.0426025390625, 0.0053863525390625, -0.1895751953125, -0.044708251953125, 0.179443359375, -0.01522064208984375, -0.0107421875, -0.132080078125, 2.9027462005615234e-05, 0.2166748046875, -0.09881591796875, -0.352294921875, -0.0021610260009765625, 0.0240325927734375, 0.186279296875, 0.1285400390625, -0.05218505859375, 0.1590576171875]


class Program_weight_tensor_meta_L_x_:
    name = "in_2"
    original_name = "L_x_"
    shape = [1, 3, 224, 224]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000393139
    std = 0.99886


class Program_weight_tensor_meta_L_self_modules_stem_modules_1_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_stem_modules_1_parameters_weight_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.974683
    std = 0.194607
    data = [1.150390625, 1.0703125, 1.05078125, 1.0205078125, 0.74560546875, 0.6953125, 0.87353515625, 1.1025390625, 0.8662109375, 1.1552734375, 0.96044921875, 0.583984375, 1.3076171875, 1.04296875, 1.1279296875, 1.0986328125, 1.1865234375, 0.7900390625, 0.994140625, 0.955078125, 1.0146484375, 1.3349609375, 0.84521484375, 0.74462890625, 0.798828125, 0.609375, 0.6630859375, 0.97607421875, 1.093750, 0.7548828125, 0.99169921875, 0.6123046875, 1.2783203125, 1.19140625, 1.083984375, 1.1201171875, 1.05859375, 0.99560546875, 1.0205078125, 1.021484375]


class Program_weight_tensor_meta_L_self_modules_stem_modules_1_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_stem_modules_1_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00264759
    std = 0.183111
    data = [-0.111083984375, -0.031494140625, 0.09649658203125, 0.0711669921875, 0.219482421875, 0.188232421875, 0.01216888427734375, -0.08984375, 0.173828125, 0.265869140625, -0.047332763671875, -0.28271484375, -0.1546630859375, 0.256103515625, -0.314208984375, 0.13525390625, -0.07135009765625, -0.10552978515625, 0.329345703125, -0.268310546875, -0.150390625, -0.0819091796875, -0.253173828125, -0.0234832763671875, 0.1571044921875, -0.0255279541015625, -0.2205810546875, -0.04901123046875, -0.06036376953125, -0.043731689453125, 0.029022216796875, 0.146728515625, 0.305908203125, -0.06298828125, -0.1837158203125, 0.1505126953125, 0.26611328125, -0.379150390625, 0.1734619140625, -0.0721435546875]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_5"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [40, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.22247e-05
    std = 0.0200227


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_6"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0248764
    std = 0.21158
    data = [-0.057830810546875, 0.3369140625, 0.273681640625, -0.0557861328125, 0.3916015625, 0.036865234375, 0.018524169921875, 0.162109375, 0.290283203125, -0.2286376953125, -0.01427459716796875, 0.288330078125, -0.06292724609375, -0.44140625, 0.1317138671875, 0.035430908203125, -0.3408203125, 0.10040283203125, 0.0650634765625, -0.0975341796875, -0.0638427734375, -0.18896484375, 0.06463623046875, -0.2037353515625, 0.2027587890625, -0.162841796875, 0.25390625, -0.0233154296875, -0.05108642578125, 0.2099609375, -0.00856781005859375, -0.009490966796875, -0.03472900390625, -0.564453125, 0.194091796875, 0.33154296875, 0.272705078125, 0.0240936279296875, 0.018218994140625, -0.0975341796875]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_7"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.972131
    std = 0.179494
    data = [1.046875, 0.8046875, 0.97998046875, 0.6494140625, 0.87158203125, 1.0341796875, 1.1142578125, 0.9951171875, 0.8486328125, 1.0654296875, 0.95654296875, 1.0556640625, 0.86865234375, 0.837890625, 0.95751953125, 1.0224609375, 0.7275390625, 1.169921875, 1.01171875, 0.818359375, 1.033203125, 0.76708984375, 1.185546875, 0.94091796875, 1.07421875, 1.171875, 0.9033203125, 1.0576171875, 0.927734375, 0.9775390625, 0.85986328125, 1.2783203125, 0.939453125, 0.6279296875, 1.4072265625, 0.79150390625, 0.6796875, 0.8984375, 1.3896484375, 1.1376953125]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_8"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0035593
    std = 0.204139
    data = [0.11737060546875, -0.05157470703125, 0.37109375, -0.546875, 0.2305908203125, 0.2137451171875, 0.0872802734375, -0.129638671875, -0.1007080078125, 0.0946044921875, 0.1192626953125, 0.1416015625, -0.073974609375, 0.291748046875, -0.426025390625, 0.3505859375, 0.07843017578125, -0.158935546875, 0.07244873046875, 0.041717529296875, -0.423583984375, -0.161865234375, 0.137939453125, 0.0841064453125, 0.324462890625, 0.01532745361328125, 0.046356201171875, -0.1256103515625, -0.03411865234375, 0.1048583984375, -0.0552978515625, -0.14013671875, 0.0230255126953125, -0.16015625, -0.0251922607421875, -0.1368408203125, -0.1627197265625, 0.03216552734375, 0.258056640625, -0.18115234375]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [160, 40, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000107239
    std = 0.0198926


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00236059
    std = 0.190308


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_11"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [40, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.26651e-05
    std = 0.0200739


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_12"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0156647
    std = 0.195421
    data = [-0.1602783203125, -0.50146484375, 0.0618896484375, 0.02752685546875, -0.13818359375, -0.10516357421875, 0.154052734375, 0.23095703125, 0.26708984375, -0.24072265625, 0.045013427734375, 0.2171630859375, 0.16064453125, -0.0222320556640625, -0.0732421875, 0.057220458984375, -0.028228759765625, 0.31005859375, 0.15234375, -0.437255859375, 0.0592041015625, -0.25927734375, -0.232666015625, -0.034912109375, 0.244140625, -0.1441650390625, 0.0936279296875, 0.10662841796875, 0.221923828125, 0.25244140625, -0.0179443359375, 0.3291015625, 0.10601806640625, -0.1614990234375, 0.209716796875, 0.0217132568359375, -0.048553466796875, -0.214599609375, 0.053497314453125, 0.06500244140625]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_:
    name = "in_13"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.03689
    std = 0.163034
    data = [-0.152099609375, -0.1339111328125, 0.1710205078125, 0.345703125, 0.004199981689453125, 0.0173797607421875, 0.11993408203125, -0.3203125, -0.0276336669921875, 0.047698974609375, 0.00537872314453125, -0.043060302734375, 0.0743408203125, -0.31201171875, 0.14111328125, 0.2479248046875, 0.2076416015625, 0.34521484375, -0.08892822265625, -0.1810302734375, -0.10546875, 0.208984375, 0.20849609375, 0.171875, -0.03179931640625, 0.1700439453125, 0.034759521484375, 0.1441650390625, 0.111083984375, -0.08343505859375, 0.005802154541015625, -0.1612548828125, 0.0270538330078125, -0.1585693359375, 0.17578125, -0.1904296875, 0.08465576171875, 0.222412109375, 0.11883544921875, 0.054046630859375]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [40, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000165792
    std = 0.0206513


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0133083
    std = 0.199462
    data = [-0.0185394287109375, -0.1414794921875, 0.11456298828125, 0.1397705078125, 0.29736328125, -0.0408935546875, 0.1697998046875, 0.456298828125, -0.2032470703125, -0.155517578125, 0.213134765625, 0.03955078125, -0.1754150390625, 0.10150146484375, 0.10662841796875, -0.4052734375, 0.03179931640625, -0.3583984375, 0.067138671875, -0.06353759765625, -0.101806640625, 0.253173828125, -0.046905517578125, -0.431396484375, 0.292724609375, -0.08770751953125, -0.1611328125, 0.2203369140625, 0.212890625, -0.057891845703125, -0.1309814453125, -0.2008056640625, -0.140380859375, -0.27197265625, -0.1759033203125, 0.056915283203125, 0.1549072265625, 0.02777099609375, 0.026336669921875, -0.145751953125]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.995496
    std = 0.17945
    data = [0.93701171875, 1.3310546875, 0.966796875, 1.0703125, 0.86279296875, 1.0107421875, 0.96826171875, 0.6884765625, 1.1044921875, 0.8310546875, 1.0224609375, 0.8984375, 0.82421875, 1.05078125, 1.1181640625, 0.853515625, 0.89697265625, 0.9228515625, 1.4873046875, 1.20703125, 1.04296875, 0.86083984375, 0.8369140625, 0.90576171875, 0.9013671875, 1.0478515625, 0.806640625, 0.921875, 1.1103515625, 1.076171875, 1.0859375, 1.2587890625, 1.349609375, 0.966796875, 1.0234375, 0.73291015625, 0.5869140625, 1.0927734375, 1.158203125, 1.0009765625]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0176106
    std = 0.166961
    data = [-0.09765625, 0.07342529296875, -0.369384765625, -0.1988525390625, 0.0272674560546875, 0.1065673828125, -0.10711669921875, -0.2012939453125, 0.019989013671875, 0.003932952880859375, 0.2337646484375, -0.129150390625, -0.1500244140625, 5.334615707397461e-05, 0.125732421875, 0.1309814453125, -0.1097412109375, 0.1546630859375, 0.2156982421875, 0.10858154296875, -0.1485595703125, -0.0079803466796875, -0.1748046875, -0.30517578125, -0.183837890625, 0.05743408203125, 0.220703125, 0.1800537109375, 0.2218017578125, 0.004150390625, 0.0472412109375, 0.1204833984375, -0.0797119140625, 0.0889892578125, -0.133056640625, 0.2076416015625, -0.440185546875, 0.0009083747863769531, -0.12408447265625, -0.0938720703125]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [160, 40, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -9.27159e-05
    std = 0.0200238


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0171848
    std = 0.19228


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [40, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -8.78482e-05
    std = 0.020239


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0255712
    std = 0.184099
    data = [0.16943359375, -0.138427734375, 0.252685546875, 0.03802490234375, 0.1761474609375, -0.07415771484375, 0.291259765625, 0.125244140625, -0.0175628662109375, -0.08563232421875, 0.05340576171875, -0.1392822265625, -0.210205078125, 0.1412353515625, 0.1798095703125, -0.0017881393432617188, -0.02447509765625, -0.404296875, 0.20556640625, -0.0257720947265625, 0.1673583984375, -0.1102294921875, 0.0677490234375, 0.2374267578125, -0.007686614990234375, 0.32177734375, 0.302490234375, -0.308349609375, 0.400390625, -0.059967041015625, -0.333251953125, 0.04241943359375, 0.004978179931640625, -0.10595703125, 0.0809326171875, -0.100341796875, 0.1361083984375, -0.2037353515625, 0.053924560546875, -0.07440185546875]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_parameters_gamma_:
    name = "in_22"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_parameters_gamma_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0110605
    std = 0.217717
    data = [0.09735107421875, -0.339111328125, 0.0970458984375, 0.17041015625, 0.01105499267578125, 0.5380859375, -0.0262603759765625, 0.0997314453125, -0.01898193359375, -0.03082275390625, 0.2117919921875, -0.004913330078125, -0.197998046875, -0.56005859375, 0.0186920166015625, 0.0011243820190429688, -0.1683349609375, 0.1497802734375, -0.2479248046875, 0.0751953125, 0.18994140625, -0.0994873046875, -0.318603515625, 0.08343505859375, -0.1951904296875, -0.1458740234375, 0.06634521484375, 0.020843505859375, -0.1903076171875, 0.119384765625, -0.170166015625, -0.291748046875, -0.1024169921875, -0.0870361328125, -0.2384033203125, 0.1923828125, -0.006214141845703125, -0.01406097412109375, 0.443359375, 0.425537109375]


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_weight_:
    name = "in_23"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_weight_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.989685
    std = 0.180987
    data = [1.0419921875, 1.0537109375, 0.72900390625, 1.056640625, 1.060546875, 1.0859375, 0.72216796875, 1.025390625, 1.125000, 1.0234375, 1.044921875, 0.81884765625, 1.1767578125, 1.0966796875, 1.031250, 0.72119140625, 0.826171875, 1.236328125, 0.85009765625, 1.4599609375, 0.8134765625, 0.55224609375, 1.052734375, 1.2626953125, 1.1357421875, 0.98486328125, 0.73974609375, 0.97900390625, 0.97998046875, 0.80322265625, 0.919921875, 0.85986328125, 0.94140625, 0.87548828125, 1.205078125, 1.208984375, 0.98486328125, 0.96142578125, 1.2216796875, 0.9189453125]


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_bias_:
    name = "in_24"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_bias_"
    shape = [40]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0688373
    std = 0.190851
    data = [-0.05682373046875, -0.1634521484375, -0.29638671875, 0.0173797607421875, 0.031494140625, 0.1400146484375, 0.24462890625, -0.1451416015625, -0.2020263671875, -0.0061798095703125, -0.1669921875, -0.33837890625, -0.045623779296875, -0.2529296875, -0.5302734375, -0.428466796875, 0.08251953125, -0.05352783203125, -0.13037109375, -0.198486328125, -0.06597900390625, 0.040924072265625, -0.2197265625, -0.05633544921875, 0.03497314453125, 0.10784912109375, 0.0249481201171875, -0.328857421875, -0.1385498046875, -0.396484375, 0.04827880859375, -0.1502685546875, -0.0018358230590820312, 0.110107421875, 0.1566162109375, 0.032135009765625, -0.0657958984375, 0.3212890625, 0.291015625, 0.0012292861938476562]


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_weight_:
    name = "in_25"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_weight_"
    shape = [80, 40, 2, 2]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000250407
    std = 0.0200456


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_bias_:
    name = "in_26"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000426865
    std = 0.202122


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_27"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [80, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000841206
    std = 0.019995


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_28"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0208879
    std = 0.206337


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_29"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.02548
    std = 0.200414


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_30"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0482678
    std = 0.189711


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_31"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [320, 80, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 6.1127e-05
    std = 0.0199843


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_32"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00333933
    std = 0.220572


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_33"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [80, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000244539
    std = 0.0199909


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_34"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0070828
    std = 0.206596


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_parameters_gamma_:
    name = "in_35"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_parameters_gamma_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0264694
    std = 0.180035


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [80, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000518146
    std = 0.0203163


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_37"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00513377
    std = 0.166745


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.967786
    std = 0.231309


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_39"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0127799
    std = 0.178326


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_40"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [320, 80, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -6.08688e-05
    std = 0.0200311


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0223479
    std = 0.191009


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [80, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00018299
    std = 0.0201088


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0269372
    std = 0.188625


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_parameters_gamma_:
    name = "in_44"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_parameters_gamma_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0124532
    std = 0.184144


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_weight_:
    name = "in_45"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_weight_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.968536
    std = 0.201314


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_bias_:
    name = "in_46"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_bias_"
    shape = [80]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0672601
    std = 0.191399


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_weight_:
    name = "in_47"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_weight_"
    shape = [160, 80, 2, 2]
    dtype = "torch.float16"
    device = "cpu"
    mean = -3.61315e-05
    std = 0.0200036


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_bias_:
    name = "in_48"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00367343
    std = 0.196455


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_49"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.85616e-05
    std = 0.0199794


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_50"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00658094
    std = 0.192978


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_51"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01699
    std = 0.218358


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_52"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0117031
    std = 0.196676


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_53"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.02366e-05
    std = 0.0200886


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_54"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0074782
    std = 0.191699


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_55"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.16613e-07
    std = 0.0199864


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_56"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0176123
    std = 0.206654


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_parameters_gamma_:
    name = "in_57"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_parameters_gamma_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00630341
    std = 0.189827


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_58"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = 9.77498e-05
    std = 0.0197193


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_59"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00266529
    std = 0.204236


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_60"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.984387
    std = 0.197351


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_61"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0240923
    std = 0.216028


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_62"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.40666e-05
    std = 0.0200143


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_63"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000620081
    std = 0.201167


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_64"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 4.42969e-06
    std = 0.0199906


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_65"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0176762
    std = 0.19631


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_parameters_gamma_:
    name = "in_66"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_parameters_gamma_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0106009
    std = 0.215519


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_weight_:
    name = "in_67"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000291682
    std = 0.0202216


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_bias_:
    name = "in_68"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00418393
    std = 0.185643


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_weight_:
    name = "in_69"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.983087
    std = 0.191487


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_bias_:
    name = "in_70"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00246536
    std = 0.18957


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_71"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.40763e-05
    std = 0.0200384


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_72"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0090429
    std = 0.201928


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_73"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.19102e-05
    std = 0.0200492


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_74"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000811398
    std = 0.208888


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_parameters_gamma_:
    name = "in_75"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_parameters_gamma_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00954325
    std = 0.201411


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_weight_:
    name = "in_76"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00016853
    std = 0.0200565


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_bias_:
    name = "in_77"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00420933
    std = 0.21592


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_weight_:
    name = "in_78"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00721
    std = 0.189804


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_bias_:
    name = "in_79"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00381405
    std = 0.201826


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_80"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -5.35108e-05
    std = 0.019973


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_81"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00023772
    std = 0.201924


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_82"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 9.77791e-05
    std = 0.020034


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_83"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00835054
    std = 0.193974


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_parameters_gamma_:
    name = "in_84"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_parameters_gamma_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0179711
    std = 0.208794


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_weight_:
    name = "in_85"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -2.31057e-05
    std = 0.0200677


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_bias_:
    name = "in_86"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0213804
    std = 0.206511


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_weight_:
    name = "in_87"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.01766
    std = 0.185924


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_bias_:
    name = "in_88"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00963029
    std = 0.222631


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_89"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -8.12815e-05
    std = 0.0200386


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_90"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00197633
    std = 0.204926


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_91"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -4.33988e-05
    std = 0.0199916


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_92"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0065428
    std = 0.211505


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_parameters_gamma_:
    name = "in_93"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_parameters_gamma_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0280651
    std = 0.188284


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_weight_:
    name = "in_94"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000137535
    std = 0.0200313


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_bias_:
    name = "in_95"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00433649
    std = 0.188478


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_weight_:
    name = "in_96"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00183
    std = 0.188486


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_bias_:
    name = "in_97"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0263426
    std = 0.20604


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_98"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.30203e-05
    std = 0.0200142


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_99"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00522717
    std = 0.199122


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_100"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.0358e-05
    std = 0.0199932


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_101"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000597501
    std = 0.222879


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_parameters_gamma_:
    name = "in_102"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_parameters_gamma_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0195294
    std = 0.19241


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_weight_:
    name = "in_103"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_weight_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.985136
    std = 0.207128


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_bias_:
    name = "in_104"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_bias_"
    shape = [160]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0147458
    std = 0.205946


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_weight_:
    name = "in_105"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_weight_"
    shape = [320, 160, 2, 2]
    dtype = "torch.float16"
    device = "cpu"
    mean = 3.65777e-05
    std = 0.0199714


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_bias_:
    name = "in_106"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0132897
    std = 0.189857


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_107"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [320, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.000140821
    std = 0.0200816


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_108"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00373808
    std = 0.188724


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_109"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00901
    std = 0.196172


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_110"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.0108828
    std = 0.201053


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_111"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 5.98289e-05
    std = 0.0200262


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_112"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.00130139
    std = 0.206212


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_113"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 2.61484e-05
    std = 0.0199787


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_114"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00127362
    std = 0.197589


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_parameters_gamma_:
    name = "in_115"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_parameters_gamma_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.000894627
    std = 0.188522


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_116"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [320, 1, 7, 7]
    dtype = "torch.float16"
    device = "cpu"
    mean = -5.03671e-05
    std = 0.020099


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_117"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00306619
    std = 0.194916


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_118"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00577
    std = 0.186097


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_119"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 0.005399
    std = 0.20156


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_120"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.85952e-05
    std = 0.0200056


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_121"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00424919
    std = 0.202754


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_122"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float16"
    device = "cpu"
    mean = 6.81757e-05
    std = 0.0199859


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_123"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00162284
    std = 0.202075


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_parameters_gamma_:
    name = "in_124"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_parameters_gamma_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.0225552
    std = 0.197418


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_weight_:
    name = "in_125"
    original_name = "L_self_modules_head_modules_norm_parameters_weight_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = 1.00386
    std = 0.194224


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_bias_:
    name = "in_126"
    original_name = "L_self_modules_head_modules_norm_parameters_bias_"
    shape = [320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00889207
    std = 0.197649


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_weight_:
    name = "in_127"
    original_name = "L_self_modules_head_modules_fc_parameters_weight_"
    shape = [1000, 320]
    dtype = "torch.float16"
    device = "cpu"
    mean = -1.83323e-06
    std = 0.0200253


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_bias_:
    name = "in_128"
    original_name = "L_self_modules_head_modules_fc_parameters_bias_"
    shape = [1000]
    dtype = "torch.float16"
    device = "cpu"
    mean = -0.00685312
    std = 0.194985
