class Program_weight_tensor_meta_L_self_modules_stem_modules_0_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_stem_modules_0_parameters_weight_"
    shape = [40, 3, 4, 4]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000489771
    std = 0.0199945


class Program_weight_tensor_meta_L_self_modules_stem_modules_0_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_stem_modules_0_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0361503
    std = 0.180323
    data = [-0.12074246257543564, -0.09118807315826416, 0.01553185936063528, -0.21988944709300995, -0.11370889097452164, -0.26361939311027527, 0.2226957529783249, -0.13101188838481903, -0.09916815161705017, -0.3978773057460785, 0.2171264886856079, 0.27114638686180115, -0.030299454927444458, -0.12414140999317169, -0.01194519829005003, 0.0833028107881546, -0.26569148898124695, -0.17309081554412842, -0.03378685936331749, -0.039579909294843674, -0.4901745021343231, 0.3057931363582611, 0.042596638202667236, 0.005385629367083311, -0.18961116671562195, -0.044693078845739365, 0.17943298816680908, -0.015224449336528778, -0.010741215199232101, -0.132122203707695, 2.9048114811303094e-05, 0.21671055257320404, -0.09879191964864731, -0.352302610874176, -0.002160214353352785, 0.024028869345784187, 0.1863119751214981, 0.12854868173599243, -0.052199650555849075, 0.15911082923412323]


class Program_weight_tensor_meta_L_x_:
    name = "in_2"
    original_name = "L_x_"
    shape = [1, 3, 224, 224]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000393461
    std = 0.998861


class Program_weight_tensor_meta_L_self_modules_stem_modules_1_parameters_weight_:
    name = "in_3"
    original_name = "L_self_modules_stem_modules_1_parameters_weight_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.97464
    std = 0.194588
    data = [1.1508615016937256, 1.0703476667404175, 1.050818681716919, 1.020574927330017, 0.7454701066017151, 0.6951316595077515, 0.8736891150474548, 1.102847933769226, 0.866177499294281, 1.1550588607788086, 0.9603102803230286, 0.5838161706924438, 1.3078510761260986, 1.042983889579773, 1.1284040212631226, 1.0983155965805054, 1.1861275434494019, 0.7898728847503662, 0.9940692186355591, 0.9550982713699341, 1.0144283771514893, 1.3347173929214478, 0.8452526926994324, 0.7446451187133789, 0.7989943027496338, 0.6095733046531677, 0.6632211208343506, 0.9758906960487366, 1.0938575267791748, 0.7550413608551025, 0.9914829134941101, 0.6121641993522644, 1.2780042886734009, 1.1913434267044067, 1.0840458869934082, 1.1196874380111694, 1.0583624839782715, 0.995557963848114, 1.0201103687286377, 1.021398901939392]


class Program_weight_tensor_meta_L_self_modules_stem_modules_1_parameters_bias_:
    name = "in_4"
    original_name = "L_self_modules_stem_modules_1_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00264239
    std = 0.183101
    data = [-0.1110597625374794, -0.03150384873151779, 0.09650938212871552, 0.07116777449846268, 0.2194967269897461, 0.18823625147342682, 0.012171631678938866, -0.08983378857374191, 0.1738857477903366, 0.2659183442592621, -0.04731975123286247, -0.28259900212287903, -0.15471051633358002, 0.25605592131614685, -0.3141413629055023, 0.13529668748378754, -0.07135733217000961, -0.10554003715515137, 0.32925280928611755, -0.26838549971580505, -0.1503552496433258, -0.08193614333868027, -0.25318947434425354, -0.023487478494644165, 0.15708237886428833, -0.025520458817481995, -0.22058582305908203, -0.049011994153261185, -0.06036195158958435, -0.04372526332736015, 0.0290228221565485, 0.1467399001121521, 0.30587267875671387, -0.06301792711019516, -0.18374264240264893, 0.15053962171077728, 0.266169011592865, -0.3790407180786133, 0.17343281209468842, -0.07211989909410477]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_5"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [40, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.21807e-05
    std = 0.0200225


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_6"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0248795
    std = 0.211593
    data = [-0.05783022567629814, 0.3369957506656647, 0.27374133467674255, -0.05578039214015007, 0.3915632665157318, 0.03686642646789551, 0.018521053716540337, 0.16214607656002045, 0.2902536392211914, -0.22867272794246674, -0.014276153407990932, 0.2882867753505707, -0.06290145963430405, -0.44140973687171936, 0.13174232840538025, 0.03544291481375694, -0.34088656306266785, 0.10042848438024521, 0.06507686525583267, -0.09755786508321762, -0.06384637206792831, -0.1890096217393875, 0.06460624933242798, -0.20370011031627655, 0.20281866192817688, -0.16279906034469604, 0.25397050380706787, -0.0233190655708313, -0.0510791540145874, 0.2100009173154831, -0.008568674325942993, -0.009490998461842537, -0.03472578898072243, -0.5645220875740051, 0.19412292540073395, 0.3315678536891937, 0.2726075053215027, 0.02408856526017189, 0.01821203902363777, -0.0975053682923317]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_7"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.972218
    std = 0.179574
    data = [1.0467833280563354, 0.8047270774841309, 0.9800019264221191, 0.6492332220077515, 0.8717203736305237, 1.0340285301208496, 1.1145144701004028, 0.9949978590011597, 0.8484717607498169, 1.0658884048461914, 0.956447422504425, 1.0557911396026611, 0.8686867356300354, 0.838122546672821, 0.9577404260635376, 1.0229320526123047, 0.727753758430481, 1.1703078746795654, 1.0116297006607056, 0.8184477686882019, 1.0334831476211548, 0.767301082611084, 1.1855794191360474, 0.940733015537262, 1.074342131614685, 1.1723099946975708, 0.9033889174461365, 1.057822823524475, 0.9277785420417786, 0.9773311018943787, 0.8596921563148499, 1.2784652709960938, 0.9392251968383789, 0.6279429197311401, 1.4073807001113892, 0.7916992902755737, 0.6796590089797974, 0.8982927799224854, 1.3900604248046875, 1.1379902362823486]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_8"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00355843
    std = 0.204128
    data = [0.11737318336963654, -0.05156129598617554, 0.371010959148407, -0.5468313097953796, 0.23057787120342255, 0.2137799710035324, 0.08728665113449097, -0.12962785363197327, -0.10069800913333893, 0.09462284296751022, 0.11926387995481491, 0.1416015475988388, -0.07400224357843399, 0.2917172908782959, -0.42598387598991394, 0.3505811393260956, 0.07844112068414688, -0.1589258313179016, 0.0724596232175827, 0.04172129929065704, -0.42362385988235474, -0.16182546317577362, 0.13787990808486938, 0.08409402519464493, 0.3244418799877167, 0.015326517634093761, 0.0463678278028965, -0.12558044493198395, -0.034106794744729996, 0.10488209873437881, -0.05529949814081192, -0.1401229351758957, 0.023022187873721123, -0.16021379828453064, -0.02518543042242527, -0.13680867850780487, -0.16268910467624664, 0.03217904269695282, 0.2580036222934723, -0.18121077120304108]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_9"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [160, 40, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000107166
    std = 0.0198926


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_10"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00236039
    std = 0.190307


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_11"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [40, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -4.27432e-05
    std = 0.0200739


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_12"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0156671
    std = 0.195424
    data = [-0.16029201447963715, -0.5015155673027039, 0.061898645013570786, 0.027525519952178, -0.138225719332695, -0.10518743842840195, 0.1540633589029312, 0.23091447353363037, 0.2671877145767212, -0.24072137475013733, 0.04502268135547638, 0.21717417240142822, 0.1606680452823639, -0.022224700078368187, -0.07322963327169418, 0.05720595270395279, -0.02822631038725376, 0.30999457836151123, 0.15238337218761444, -0.4372226297855377, 0.05920946225523949, -0.259178102016449, -0.23269405961036682, -0.03491395711898804, 0.24410119652748108, -0.14418411254882812, 0.09365363419055939, 0.10661736875772476, 0.22197197377681732, 0.25237640738487244, -0.017937149852514267, 0.329201877117157, 0.10602320730686188, -0.16151049733161926, 0.20967860519886017, 0.021716048941016197, -0.04855967313051224, -0.2145712673664093, 0.053489334881305695, 0.06499990820884705]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_:
    name = "in_13"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_0_parameters_gamma_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.036893
    std = 0.163032
    data = [-0.15212282538414001, -0.13392914831638336, 0.17107105255126953, 0.3456878364086151, 0.0042015304788947105, 0.017386069521307945, 0.1199081540107727, -0.3202795386314392, -0.027631429955363274, 0.04768645390868187, 0.005377600900828838, -0.04304719343781471, 0.07435161620378494, -0.31190916895866394, 0.1410670429468155, 0.24797149002552032, 0.20762543380260468, 0.34524473547935486, -0.08895587176084518, -0.18104876577854156, -0.10543930530548096, 0.2089463472366333, 0.20849211513996124, 0.17192013561725616, -0.03181438148021698, 0.17005343735218048, 0.03474961593747139, 0.1442006677389145, 0.11109926551580429, -0.08342058956623077, 0.005800820421427488, -0.1612483263015747, 0.027051962912082672, -0.15856829285621643, 0.17575615644454956, -0.19048099219799042, 0.08466847240924835, 0.22241222858428955, 0.11882998049259186, 0.054057274013757706]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [40, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000165745
    std = 0.0206513


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0133117
    std = 0.19947
    data = [-0.018538687378168106, -0.14146415889263153, 0.11458446830511093, 0.13971874117851257, 0.2973029315471649, -0.04089254513382912, 0.16976426541805267, 0.45632538199424744, -0.20320294797420502, -0.15550778806209564, 0.21314513683319092, 0.03954499214887619, -0.17543759942054749, 0.10149946063756943, 0.10664346069097519, -0.4052664339542389, 0.03179863095283508, -0.3585171699523926, 0.06715240329504013, -0.06353612244129181, -0.10183324664831161, 0.2532021403312683, -0.046900179237127304, -0.43136391043663025, 0.29275259375572205, -0.08769451826810837, -0.16116027534008026, 0.22028832137584686, 0.2129458487033844, -0.05788630247116089, -0.13095657527446747, -0.2008601874113083, -0.14039504528045654, -0.27201539278030396, -0.17594154179096222, 0.05690601095557213, 0.15496163070201874, 0.02777489833533764, 0.02634226344525814, -0.1457507312297821]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.995545
    std = 0.179537
    data = [0.9369277954101562, 1.331539511680603, 0.9667116403579712, 1.0703599452972412, 0.8627350330352783, 1.0112224817276, 0.9684123396873474, 0.6883694529533386, 1.1041191816329956, 0.8310775756835938, 1.022376298904419, 0.8985214233398438, 0.8241460919380188, 1.0511780977249146, 1.1182869672775269, 0.8535338640213013, 0.8968939185142517, 0.9229885935783386, 1.4876790046691895, 1.2071397304534912, 1.0432560443878174, 0.8608097434043884, 0.8367217779159546, 0.9056524634361267, 0.9014891386032104, 1.0473991632461548, 0.8068065047264099, 0.9217953085899353, 1.1102242469787598, 1.0765278339385986, 1.085647463798523, 1.2591832876205444, 1.3495211601257324, 0.9669647812843323, 1.023077368736267, 0.7326714992523193, 0.5868682265281677, 1.093183159828186, 1.1583669185638428, 1.0014164447784424]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0176174
    std = 0.166968
    data = [-0.09762968122959137, 0.07343929260969162, -0.36939892172813416, -0.19887016713619232, 0.027261024340987206, 0.10657646507024765, -0.10714030265808105, -0.20129235088825226, 0.01998770236968994, 0.003933983854949474, 0.23370568454265594, -0.1291089504957199, -0.15005804598331451, 5.332462751539424e-05, 0.12570737302303314, 0.13094162940979004, -0.1097211018204689, 0.15472224354743958, 0.2156759798526764, 0.10858839005231857, -0.14856305718421936, -0.007982573471963406, -0.17474707961082458, -0.3052910268306732, -0.18389438092708588, 0.05742175504565239, 0.22071948647499084, 0.1800253987312317, 0.22181163728237152, 0.00415209261700511, 0.04724670946598053, 0.12050455808639526, -0.07969249784946442, 0.08900094777345657, -0.13308292627334595, 0.20760825276374817, -0.4402333199977875, 0.0009081625612452626, -0.12409200519323349, -0.09389165043830872]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_18"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [160, 40, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -9.26741e-05
    std = 0.0200236


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_19"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0171834
    std = 0.192282


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_20"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [40, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -8.7826e-05
    std = 0.020239


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_21"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0255703
    std = 0.184098
    data = [0.16945339739322662, -0.1384076178073883, 0.2526431083679199, 0.038010623306035995, 0.17611028254032135, -0.07417065650224686, 0.29129844903945923, 0.12528619170188904, -0.017568033188581467, -0.08563526719808578, 0.05340706184506416, -0.1392383724451065, -0.21019034087657928, 0.14117929339408875, 0.1798608899116516, -0.001788390101864934, -0.0244771558791399, -0.4043188989162445, 0.20551829040050507, -0.025765253230929375, 0.16736286878585815, -0.11020904779434204, 0.06776274740695953, 0.23746290802955627, -0.007685042452067137, 0.3217204809188843, 0.3024994134902954, -0.30834123492240906, 0.4003412425518036, -0.059974949806928635, -0.3332974314689636, 0.042406391352415085, 0.004977813921868801, -0.10595252364873886, 0.08096115291118622, -0.10031960159540176, 0.13616423308849335, -0.2037767469882965, 0.05392475053668022, -0.07442237436771393]


class Program_weight_tensor_meta_L_self_modules_stages_modules_0_modules_blocks_modules_1_parameters_gamma_:
    name = "in_22"
    original_name = "L_self_modules_stages_modules_0_modules_blocks_modules_1_parameters_gamma_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0110613
    std = 0.217745
    data = [0.09736903011798859, -0.3390583395957947, 0.09704083204269409, 0.17039723694324493, 0.011054270900785923, 0.5381631851196289, -0.02625664696097374, 0.09974370896816254, -0.018982836976647377, -0.03081778809428215, 0.21181288361549377, -0.004912619944661856, -0.19795534014701843, -0.5602985620498657, 0.0186892282217741, 0.001124404720030725, -0.16837212443351746, 0.1497611254453659, -0.24788783490657806, 0.075188048183918, 0.18994103372097015, -0.0995059609413147, -0.31853678822517395, 0.08343500643968582, -0.19517529010772705, -0.14587432146072388, 0.06635993719100952, 0.020849179476499557, -0.19034099578857422, 0.11937656253576279, -0.17018400132656097, -0.2918301522731781, -0.10242433845996857, -0.08705991506576538, -0.23844654858112335, 0.19241508841514587, -0.006212302017956972, -0.014064411632716656, 0.44338876008987427, 0.42563596367836]


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_weight_:
    name = "in_23"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_weight_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.989748
    std = 0.18105
    data = [1.0418590307235718, 1.0541666746139526, 0.728911817073822, 1.0570976734161377, 1.0606714487075806, 1.085994839668274, 0.7219871282577515, 1.0257325172424316, 1.1252003908157349, 1.02311110496521, 1.0450845956802368, 0.8186349868774414, 1.1769365072250366, 1.096832513809204, 1.0311834812164307, 0.721177875995636, 0.8259686231613159, 1.2361687421798706, 0.8500416874885559, 1.459993839263916, 0.8134390115737915, 0.5523356199264526, 1.0530872344970703, 1.262916922569275, 1.1359591484069824, 0.984940767288208, 0.7398013472557068, 0.9789873361587524, 0.9800636172294617, 0.8031143546104431, 0.9200023412704468, 0.8601069450378418, 0.941472053527832, 0.8755858540534973, 1.2050082683563232, 1.2092888355255127, 0.9847063422203064, 0.9614167809486389, 1.2219964265823364, 0.9189456105232239]


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_bias_:
    name = "in_24"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_0_parameters_bias_"
    shape = [40]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0688196
    std = 0.190836
    data = [-0.056818969547748566, -0.16341088712215424, -0.2963351905345917, 0.01737615279853344, 0.03149369731545448, 0.140058234333992, 0.2446621209383011, -0.14508917927742004, -0.20204250514507294, -0.006177989300340414, -0.16696283221244812, -0.3382834196090698, -0.04561958461999893, -0.252873033285141, -0.5302061438560486, -0.42848214507102966, 0.08251141011714935, -0.05354101583361626, -0.13037151098251343, -0.19847151637077332, -0.065955251455307, 0.040929533541202545, -0.21972660720348358, -0.056345414370298386, 0.034977857023477554, 0.10784820467233658, 0.02495378814637661, -0.328828901052475, -0.1385241597890854, -0.3963661193847656, 0.04827173426747322, -0.15023282170295715, -0.0018355202628299594, 0.1101018413901329, 0.15666165947914124, 0.03213311731815338, -0.06577631831169128, 0.3212554454803467, 0.2910304665565491, 0.0012296921340748668]


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_weight_:
    name = "in_25"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_weight_"
    shape = [80, 40, 2, 2]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000250406
    std = 0.0200457


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_bias_:
    name = "in_26"
    original_name = "L_self_modules_stages_modules_1_modules_downsample_modules_1_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000431622
    std = 0.202128


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_27"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [80, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000841269
    std = 0.0199949


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_28"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.020883
    std = 0.206339


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_29"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.02549
    std = 0.200394


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_30"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0482658
    std = 0.189722


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_31"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [320, 80, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 6.11474e-05
    std = 0.0199844


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_32"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00333993
    std = 0.220579


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_33"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [80, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000244543
    std = 0.0199909


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_34"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0070854
    std = 0.2066


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_0_parameters_gamma_:
    name = "in_35"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_0_parameters_gamma_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0264686
    std = 0.180036


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_36"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [80, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000518186
    std = 0.0203163


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_37"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0051332
    std = 0.166752


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_38"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.967773
    std = 0.231314


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_39"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0127766
    std = 0.178321


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_40"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [320, 80, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -6.08861e-05
    std = 0.0200312


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_41"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0223487
    std = 0.191005


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_42"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [80, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000182985
    std = 0.0201088


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_43"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0269336
    std = 0.18862


class Program_weight_tensor_meta_L_self_modules_stages_modules_1_modules_blocks_modules_1_parameters_gamma_:
    name = "in_44"
    original_name = "L_self_modules_stages_modules_1_modules_blocks_modules_1_parameters_gamma_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0124515
    std = 0.184137


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_weight_:
    name = "in_45"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_weight_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.968518
    std = 0.201312


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_bias_:
    name = "in_46"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_0_parameters_bias_"
    shape = [80]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0672616
    std = 0.191401


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_weight_:
    name = "in_47"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_weight_"
    shape = [160, 80, 2, 2]
    dtype = "torch.float32"
    device = "cpu"
    mean = -3.6148e-05
    std = 0.0200036


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_bias_:
    name = "in_48"
    original_name = "L_self_modules_stages_modules_2_modules_downsample_modules_1_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00367434
    std = 0.196469


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_49"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.85698e-05
    std = 0.0199794


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_50"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00657808
    std = 0.192988


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_51"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01702
    std = 0.218378


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_52"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0117072
    std = 0.196677


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_53"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.026e-05
    std = 0.0200887


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_54"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00748038
    std = 0.191699


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_55"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.04213e-07
    std = 0.0199864


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_56"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0176102
    std = 0.206663


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_0_parameters_gamma_:
    name = "in_57"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_0_parameters_gamma_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00630887
    std = 0.189819


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_58"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = 9.78693e-05
    std = 0.0197192


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_59"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00266221
    std = 0.204227


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_60"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.984409
    std = 0.19735


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_61"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0240989
    std = 0.216028


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_62"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.40781e-05
    std = 0.0200143


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_63"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000618019
    std = 0.201174


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_64"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 4.43446e-06
    std = 0.0199906


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_65"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0176703
    std = 0.196307


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_1_parameters_gamma_:
    name = "in_66"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_1_parameters_gamma_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0106
    std = 0.215518


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_weight_:
    name = "in_67"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000291623
    std = 0.0202216


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_bias_:
    name = "in_68"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00418707
    std = 0.185642


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_weight_:
    name = "in_69"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.983057
    std = 0.19149


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_bias_:
    name = "in_70"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00246305
    std = 0.189567


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_71"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.40759e-05
    std = 0.0200384


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_72"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00904544
    std = 0.201929


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_73"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -4.19281e-05
    std = 0.0200492


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_74"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000808702
    std = 0.208887


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_2_parameters_gamma_:
    name = "in_75"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_2_parameters_gamma_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00954134
    std = 0.201405


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_weight_:
    name = "in_76"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000168514
    std = 0.0200564


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_bias_:
    name = "in_77"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00420846
    std = 0.215917


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_weight_:
    name = "in_78"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.0072
    std = 0.189777


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_bias_:
    name = "in_79"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00381758
    std = 0.201824


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_80"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.3513e-05
    std = 0.019973


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_81"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000238457
    std = 0.201918


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_82"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 9.77765e-05
    std = 0.020034


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_83"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0083507
    std = 0.193976


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_3_parameters_gamma_:
    name = "in_84"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_3_parameters_gamma_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0179709
    std = 0.208791


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_weight_:
    name = "in_85"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -2.312e-05
    std = 0.0200678


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_bias_:
    name = "in_86"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0213784
    std = 0.206506


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_weight_:
    name = "in_87"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.01766
    std = 0.18593


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_bias_:
    name = "in_88"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00963029
    std = 0.222623


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_89"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -8.12776e-05
    std = 0.0200387


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_90"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00197667
    std = 0.204927


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_91"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -4.34008e-05
    std = 0.0199917


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_92"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00654334
    std = 0.21151


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_4_parameters_gamma_:
    name = "in_93"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_4_parameters_gamma_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0280683
    std = 0.188285


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_weight_:
    name = "in_94"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_weight_"
    shape = [160, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000137627
    std = 0.0200313


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_bias_:
    name = "in_95"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_conv_dw_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00433754
    std = 0.188474


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_weight_:
    name = "in_96"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00185
    std = 0.188509


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_bias_:
    name = "in_97"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_norm_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0263417
    std = 0.206041


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_98"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_weight_"
    shape = [640, 160, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.30294e-05
    std = 0.0200142


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_99"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc1_parameters_bias_"
    shape = [640]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0052269
    std = 0.199123


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_100"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_weight_"
    shape = [160, 640, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.0358e-05
    std = 0.0199932


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_101"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_modules_mlp_modules_fc2_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.000595103
    std = 0.222878


class Program_weight_tensor_meta_L_self_modules_stages_modules_2_modules_blocks_modules_5_parameters_gamma_:
    name = "in_102"
    original_name = "L_self_modules_stages_modules_2_modules_blocks_modules_5_parameters_gamma_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0195237
    std = 0.192409


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_weight_:
    name = "in_103"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_weight_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.985139
    std = 0.207136


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_bias_:
    name = "in_104"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_0_parameters_bias_"
    shape = [160]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0147446
    std = 0.205951


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_weight_:
    name = "in_105"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_weight_"
    shape = [320, 160, 2, 2]
    dtype = "torch.float32"
    device = "cpu"
    mean = 3.65584e-05
    std = 0.0199714


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_bias_:
    name = "in_106"
    original_name = "L_self_modules_stages_modules_3_modules_downsample_modules_1_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0132881
    std = 0.189864


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_weight_:
    name = "in_107"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_weight_"
    shape = [320, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00014082
    std = 0.0200816


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_bias_:
    name = "in_108"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_conv_dw_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00373557
    std = 0.18872


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_weight_:
    name = "in_109"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00903
    std = 0.196166


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_bias_:
    name = "in_110"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_norm_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.0108828
    std = 0.201049


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_111"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 5.98239e-05
    std = 0.0200263


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_112"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00130073
    std = 0.206212


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_113"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 2.61427e-05
    std = 0.0199787


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_114"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00127537
    std = 0.197584


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_0_parameters_gamma_:
    name = "in_115"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_0_parameters_gamma_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.000897973
    std = 0.188519


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_weight_:
    name = "in_116"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_weight_"
    shape = [320, 1, 7, 7]
    dtype = "torch.float32"
    device = "cpu"
    mean = -5.0344e-05
    std = 0.0200991


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_bias_:
    name = "in_117"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_conv_dw_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00306274
    std = 0.194915


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_weight_:
    name = "in_118"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00578
    std = 0.1861


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_bias_:
    name = "in_119"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_norm_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 0.00539749
    std = 0.201557


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_:
    name = "in_120"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_weight_"
    shape = [1280, 320, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.85964e-05
    std = 0.0200056


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_:
    name = "in_121"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc1_parameters_bias_"
    shape = [1280]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00424846
    std = 0.202753


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_:
    name = "in_122"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_weight_"
    shape = [320, 1280, 1, 1]
    dtype = "torch.float32"
    device = "cpu"
    mean = 6.81646e-05
    std = 0.0199859


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_:
    name = "in_123"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_modules_mlp_modules_fc2_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00162707
    std = 0.202076


class Program_weight_tensor_meta_L_self_modules_stages_modules_3_modules_blocks_modules_1_parameters_gamma_:
    name = "in_124"
    original_name = "L_self_modules_stages_modules_3_modules_blocks_modules_1_parameters_gamma_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.0225555
    std = 0.197425


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_weight_:
    name = "in_125"
    original_name = "L_self_modules_head_modules_norm_parameters_weight_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = 1.00387
    std = 0.194226


class Program_weight_tensor_meta_L_self_modules_head_modules_norm_parameters_bias_:
    name = "in_126"
    original_name = "L_self_modules_head_modules_norm_parameters_bias_"
    shape = [320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00889327
    std = 0.197651


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_weight_:
    name = "in_127"
    original_name = "L_self_modules_head_modules_fc_parameters_weight_"
    shape = [1000, 320]
    dtype = "torch.float32"
    device = "cpu"
    mean = -1.8357e-06
    std = 0.0200253


class Program_weight_tensor_meta_L_self_modules_head_modules_fc_parameters_bias_:
    name = "in_128"
    original_name = "L_self_modules_head_modules_fc_parameters_bias_"
    shape = [1000]
    dtype = "torch.float32"
    device = "cpu"
    mean = -0.00685356
    std = 0.194983
