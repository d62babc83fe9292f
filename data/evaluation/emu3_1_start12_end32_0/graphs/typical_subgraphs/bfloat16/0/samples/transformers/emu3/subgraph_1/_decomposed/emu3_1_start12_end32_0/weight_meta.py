class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_0_modules_conv2_parameters_weight_:
    name = "in_0"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_0_modules_conv2_parameters_weight_"
    shape = [32, 32, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 6.03159e-05
    std = 0.0823146


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_0_modules_conv2_parameters_bias_:
    name = "in_1"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_0_modules_conv2_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00253769
    std = 0.0332422
    data = [-0.02570284903049469, -0.05557408183813095, -0.01957247592508793, 0.0369502492249012, -0.021085653454065323, 0.004006886854767799, -0.0184653140604496, -0.033217091113328934, 0.05532519891858101, -0.004125494975596666, 0.027420978993177414, 0.04284919798374176, -0.04586537927389145, 0.025045793503522873, -0.027159646153450012, 0.05828551575541496, -0.030291980132460594, 0.033902399241924286, -0.05196214094758034, -0.044906917959451675, -0.017033740878105164, 0.01895235665142536, 0.032095275819301605, 0.0005104615702293813, -0.04197024554014206, -0.003770667826756835, -0.009302357211709023, 0.020707273855805397, 0.0561007559299469, -0.014519624412059784, -0.014602520503103733, -0.014230350032448769]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm1_parameters_weight_:
    name = "in_2"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm1_parameters_weight_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.998985
    std = 0.166607
    data = [1.115715742111206, 1.1490849256515503, 1.3538073301315308, 0.9237173199653625, 0.8003729581832886, 1.0676218271255493, 0.9005602598190308, 0.9268742203712463, 0.9604933261871338, 0.9868999719619751, 1.017829179763794, 0.806854248046875, 0.6925715208053589, 0.796225368976593, 1.088861346244812, 1.122892141342163, 1.0636357069015503, 0.8775128722190857, 1.1056545972824097, 1.1181265115737915, 1.0655629634857178, 0.7763096690177917, 1.297143816947937, 0.7473955750465393, 1.0518704652786255, 0.9460107684135437, 0.8290999531745911, 0.84633469581604, 1.104305386543274, 1.312165379524231, 1.1347236633300781, 0.9812976717948914]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm1_parameters_bias_:
    name = "in_3"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm1_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0902333
    std = 0.190264
    data = [-0.49917370080947876, -0.4527599513530731, 0.11122621595859528, 0.08821310847997665, -0.2087365835905075, -0.00567559665068984, 0.11026345938444138, -0.3491895794868469, -0.14600998163223267, 0.14996418356895447, -0.26393356919288635, 0.14893217384815216, -0.3454444706439972, -0.09227149933576584, -0.4115787446498871, -0.1306106001138687, -0.0651373639702797, -0.28174707293510437, -0.11827021837234497, -0.01039316225796938, -0.2666756510734558, -0.04155682027339935, 0.027538815513253212, 0.08021280914545059, 0.17156670987606049, 0.07934901118278503, 0.11751194298267365, -0.08047424256801605, -0.045579876750707626, 0.04868430271744728, -0.20633509755134583, 0.0006244594696909189]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv1_parameters_weight_:
    name = "in_4"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv1_parameters_weight_"
    shape = [32, 32, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.000710866
    std = 0.0823119


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv1_parameters_bias_:
    name = "in_5"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv1_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00644387
    std = 0.0346974
    data = [0.040850307792425156, -0.03394916653633118, -0.01993279717862606, -0.044010281562805176, 0.04650372266769409, 0.022147979587316513, 0.05564747378230095, 0.0032939938828349113, 0.05271359160542488, -0.025298625230789185, 0.021890567615628242, -0.010215651243925095, 0.03806648403406143, 0.026941459625959396, -0.0037463561166077852, -0.013188795186579227, -0.03799113258719444, -0.05342812091112137, -0.04173817113041878, 0.03158564120531082, -0.03549901768565178, 0.01867268979549408, -0.05176135152578354, 0.022326499223709106, 0.0070859529078006744, -0.021674754098057747, -0.01599714532494545, -0.04567193239927292, -0.05093202367424965, -0.004254935309290886, -0.057948678731918335, -0.026691416278481483]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm2_parameters_weight_:
    name = "in_6"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm2_parameters_weight_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.965908
    std = 0.20837
    data = [0.7498534321784973, 1.175240159034729, 1.1801159381866455, 0.793826162815094, 1.0608038902282715, 1.0199750661849976, 1.157824158668518, 1.0186859369277954, 1.0734810829162598, 0.6300143599510193, 0.9533298015594482, 1.0767768621444702, 1.0890697240829468, 1.0160070657730103, 1.1397231817245483, 0.8956905603408813, 0.5998719930648804, 1.1852431297302246, 0.69023197889328, 0.6905312538146973, 0.9274259209632874, 0.842656672000885, 0.9482805132865906, 0.6105941534042358, 1.0884243249893188, 1.3970006704330444, 1.0681170225143433, 1.279363751411438, 0.8767660856246948, 0.6551855802536011, 0.8615515232086182, 1.1573868989944458]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm2_parameters_bias_:
    name = "in_7"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_norm2_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0367198
    std = 0.206653
    data = [-0.22190046310424805, 0.34352031350135803, -0.13950806856155396, 0.023757822811603546, -0.33725079894065857, 0.15653938055038452, -0.12599246203899384, -0.056533701717853546, 0.04891849681735039, -0.2529049515724182, 0.12609617412090302, -0.44754263758659363, 0.030590375885367393, 0.061333365738391876, -0.0924912840127945, -0.05925050377845764, 0.2562069594860077, -0.3264027237892151, 0.25341442227363586, 0.15693826973438263, -0.13522060215473175, -0.17434214055538177, 0.1406717747449875, -0.11660652607679367, -0.4517013132572174, 0.31333693861961365, -0.20983166992664337, 0.023068496957421303, -0.0923924371600151, 0.03949248418211937, 0.1429719775915146, -0.052016984671354294]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv2_parameters_weight_:
    name = "in_8"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv2_parameters_weight_"
    shape = [32, 32, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00093782
    std = 0.0843087


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv2_parameters_bias_:
    name = "in_9"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_block_modules_1_modules_conv2_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00556062
    std = 0.0369832
    data = [-0.014006409794092178, -0.04499518871307373, -0.020757652819156647, 0.04926208034157753, 0.0372961200773716, -0.046648818999528885, -0.01817466877400875, -0.04309039190411568, 0.031383153051137924, 0.03846298158168793, -0.010351265780627728, 0.03028549626469612, -0.039846088737249374, -0.03299781307578087, -0.02545185759663582, 0.04968791827559471, -0.023856908082962036, -0.02780155837535858, -0.05549547076225281, -0.05258167162537575, 0.006201557349413633, -0.05578078702092171, 0.04522792249917984, -0.054342687129974365, 0.0211471114307642, -0.004673488438129425, 0.03238040581345558, 0.03191391006112099, -0.016207275912165642, 0.024355869740247726, 0.05309704318642616, -0.04158138483762741]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_downsample_modules_conv_parameters_weight_:
    name = "in_10"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_downsample_modules_conv_parameters_weight_"
    shape = [32, 32, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.00119472
    std = 0.084517


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_downsample_modules_conv_parameters_bias_:
    name = "in_11"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_0_modules_downsample_modules_conv_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00193116
    std = 0.0343756
    data = [0.05628129467368126, -0.03360205888748169, -0.020002184435725212, -0.029039748013019562, 0.020653922110795975, 0.01857437565922737, -0.05328792706131935, -0.008844621479511261, -0.03143318369984627, 0.02469632588326931, 0.04036989435553551, -0.0026818460319191217, -0.055326253175735474, 0.05159326270222664, 0.04831374064087868, 0.015399608761072159, -0.017692791298031807, -0.05814320594072342, -0.031447745859622955, -0.009065520018339157, 0.03474368527531624, -0.03997686132788658, 0.025791827589273453, 0.03879280388355255, -0.02366226725280285, -0.03322215378284454, -0.027041763067245483, 0.02745053730905056, -0.029045071452856064, -0.014245866797864437, 0.008803795091807842, 0.04449902102351189]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm1_parameters_weight_:
    name = "in_12"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm1_parameters_weight_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.980544
    std = 0.213558
    data = [0.8793019652366638, 0.8580623269081116, 1.1390342712402344, 0.8967185020446777, 0.7388771176338196, 1.2536674737930298, 0.9522524476051331, 0.9468050599098206, 0.9531233906745911, 1.3003160953521729, 0.5009306073188782, 0.8877619504928589, 0.9696626663208008, 1.010316014289856, 1.1436874866485596, 1.0602047443389893, 0.9225569367408752, 1.0618417263031006, 1.0241597890853882, 0.8853137493133545, 0.7770407199859619, 1.2176311016082764, 1.052088737487793, 1.3005167245864868, 0.8240017890930176, 1.0111531019210815, 0.986660361289978, 0.7672238349914551, 1.6518787145614624, 0.7650637626647949, 0.8173195719718933, 0.8222450613975525]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm1_parameters_bias_:
    name = "in_13"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm1_parameters_bias_"
    shape = [32]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0551994
    std = 0.199925
    data = [-0.24001283943653107, -0.02704652026295662, 0.07381275296211243, -0.3294939398765564, 0.14609098434448242, -0.39892274141311646, -0.04940705746412277, 0.08755957335233688, -0.2726786434650421, 0.41197043657302856, 0.09578138589859009, 0.10565056651830673, -0.34662920236587524, -0.006701967213302851, -0.1452081799507141, 0.16029947996139526, -0.10896358639001846, -0.03435182571411133, 0.07769564539194107, 0.01936439797282219, 0.19354979693889618, -0.14348462224006653, -0.13730035722255707, 0.05620035529136658, -0.04330587387084961, -0.04948800429701805, -0.5521160960197449, -0.3027814030647278, 0.10822340101003647, -0.033364083617925644, -0.15413033962249756, 0.07280930131673813]


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_conv1_parameters_weight_:
    name = "in_14"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_conv1_parameters_weight_"
    shape = [64, 32, 3, 3]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.000534928
    std = 0.0592027


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_conv1_parameters_bias_:
    name = "in_15"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_conv1_parameters_bias_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.00417603
    std = 0.0338556


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm2_parameters_weight_:
    name = "in_16"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm2_parameters_weight_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.968945
    std = 0.170187


class Program_weight_tensor_meta_L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm2_parameters_bias_:
    name = "in_17"
    original_name = "L_self_modules_encoder_modules_down_block_modules_down_modules_1_modules_block_modules_0_modules_norm2_parameters_bias_"
    shape = [64]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = -0.0490886
    std = 0.198059


class Program_weight_tensor_meta_tmp_4:
    name = "in_18"
    original_name = "tmp_4"
    shape = [1, 32, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.0113881
    std = 0.461215


class Program_weight_tensor_meta_imul_1:
    name = "in_19"
    original_name = "imul_1"
    shape = [1, 32, 4, 4]
    dtype = "torch.bfloat16"
    device = "cpu"
    mean = 0.224162
    std = 0.607501
