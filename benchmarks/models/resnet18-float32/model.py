import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25, in_26, in_27, in_28, in_29, in_30, in_31, in_32, in_33, in_34, in_35, in_36, in_37, in_38, in_39, in_40, in_41, in_42, in_43, in_44, in_45, in_46, in_47, in_48, in_49, in_50, in_51, in_52, in_53, in_54, in_55, in_56, in_57, in_58, in_59, in_60, in_61, in_62, in_63, in_64, in_65, in_66, in_67, in_68, in_69, in_70, in_71, in_72, in_73, in_74, in_75, in_76, in_77, in_78, in_79, in_80, in_81, in_82, in_83, in_84, in_85, in_86, in_87, in_88, in_89, in_90, in_91, in_92, in_93, in_94, in_95, in_96, in_97, in_98, in_99, in_100, in_101, in_102):
        tmp_0 = torch.conv2d(in_1, in_0, None, (2, 2), (3, 3), (1, 1), 1)
        tmp_1 = torch.nn.functional.batch_norm(tmp_0, in_2, in_3, in_4, in_5, False, 0.1, 1e-05)
        tmp_0 = None
        tmp_2 = torch.nn.functional.relu(tmp_1, inplace=True)
        tmp_1 = None
        tmp_3 = torch.nn.functional.max_pool2d(tmp_2, 3, 2, 1, 1, ceil_mode=False, return_indices=False)
        tmp_2 = None
        tmp_4 = torch.conv2d(tmp_3, in_6, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_5 = torch.nn.functional.batch_norm(tmp_4, in_7, in_8, in_9, in_10, False, 0.1, 1e-05)
        tmp_4 = None
        tmp_6 = torch.nn.functional.relu(tmp_5, inplace=True)
        tmp_5 = None
        tmp_7 = torch.conv2d(tmp_6, in_11, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_6 = None
        tmp_8 = torch.nn.functional.batch_norm(tmp_7, in_12, in_13, in_14, in_15, False, 0.1, 1e-05)
        tmp_7 = None
        tmp_8 += tmp_3
        tmp_9 = tmp_8
        tmp_3 = tmp_8 = None
        tmp_10 = torch.nn.functional.relu(tmp_9, inplace=True)
        tmp_9 = None
        tmp_11 = torch.conv2d(tmp_10, in_16, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_12 = torch.nn.functional.batch_norm(tmp_11, in_17, in_18, in_19, in_20, False, 0.1, 1e-05)
        tmp_11 = None
        tmp_13 = torch.nn.functional.relu(tmp_12, inplace=True)
        tmp_12 = None
        tmp_14 = torch.conv2d(tmp_13, in_21, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_13 = None
        tmp_15 = torch.nn.functional.batch_norm(tmp_14, in_22, in_23, in_24, in_25, False, 0.1, 1e-05)
        tmp_14 = None
        tmp_15 += tmp_10
        tmp_16 = tmp_15
        tmp_10 = tmp_15 = None
        tmp_17 = torch.nn.functional.relu(tmp_16, inplace=True)
        tmp_16 = None
        tmp_18 = torch.conv2d(tmp_17, in_26, None, (2, 2), (1, 1), (1, 1), 1)
        tmp_19 = torch.nn.functional.batch_norm(tmp_18, in_27, in_28, in_29, in_30, False, 0.1, 1e-05)
        tmp_18 = None
        tmp_20 = torch.nn.functional.relu(tmp_19, inplace=True)
        tmp_19 = None
        tmp_21 = torch.conv2d(tmp_20, in_31, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_20 = None
        tmp_22 = torch.nn.functional.batch_norm(tmp_21, in_32, in_33, in_34, in_35, False, 0.1, 1e-05)
        tmp_21 = None
        tmp_23 = torch.conv2d(tmp_17, in_36, None, (2, 2), (0, 0), (1, 1), 1)
        tmp_17 = None
        tmp_24 = torch.nn.functional.batch_norm(tmp_23, in_37, in_38, in_39, in_40, False, 0.1, 1e-05)
        tmp_23 = None
        tmp_22 += tmp_24
        tmp_25 = tmp_22
        tmp_22 = tmp_24 = None
        tmp_26 = torch.nn.functional.relu(tmp_25, inplace=True)
        tmp_25 = None
        tmp_27 = torch.conv2d(tmp_26, in_41, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_28 = torch.nn.functional.batch_norm(tmp_27, in_42, in_43, in_44, in_45, False, 0.1, 1e-05)
        tmp_27 = None
        tmp_29 = torch.nn.functional.relu(tmp_28, inplace=True)
        tmp_28 = None
        tmp_30 = torch.conv2d(tmp_29, in_46, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_29 = None
        tmp_31 = torch.nn.functional.batch_norm(tmp_30, in_47, in_48, in_49, in_50, False, 0.1, 1e-05)
        tmp_30 = None
        tmp_31 += tmp_26
        tmp_32 = tmp_31
        tmp_26 = tmp_31 = None
        tmp_33 = torch.nn.functional.relu(tmp_32, inplace=True)
        tmp_32 = None
        tmp_34 = torch.conv2d(tmp_33, in_51, None, (2, 2), (1, 1), (1, 1), 1)
        tmp_35 = torch.nn.functional.batch_norm(tmp_34, in_52, in_53, in_54, in_55, False, 0.1, 1e-05)
        tmp_34 = None
        tmp_36 = torch.nn.functional.relu(tmp_35, inplace=True)
        tmp_35 = None
        tmp_37 = torch.conv2d(tmp_36, in_56, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_36 = None
        tmp_38 = torch.nn.functional.batch_norm(tmp_37, in_57, in_58, in_59, in_60, False, 0.1, 1e-05)
        tmp_37 = None
        tmp_39 = torch.conv2d(tmp_33, in_61, None, (2, 2), (0, 0), (1, 1), 1)
        tmp_33 = None
        tmp_40 = torch.nn.functional.batch_norm(tmp_39, in_62, in_63, in_64, in_65, False, 0.1, 1e-05)
        tmp_39 = None
        tmp_38 += tmp_40
        tmp_41 = tmp_38
        tmp_38 = tmp_40 = None
        tmp_42 = torch.nn.functional.relu(tmp_41, inplace=True)
        tmp_41 = None
        tmp_43 = torch.conv2d(tmp_42, in_66, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_44 = torch.nn.functional.batch_norm(tmp_43, in_67, in_68, in_69, in_70, False, 0.1, 1e-05)
        tmp_43 = None
        tmp_45 = torch.nn.functional.relu(tmp_44, inplace=True)
        tmp_44 = None
        tmp_46 = torch.conv2d(tmp_45, in_71, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_45 = None
        tmp_47 = torch.nn.functional.batch_norm(tmp_46, in_72, in_73, in_74, in_75, False, 0.1, 1e-05)
        tmp_46 = None
        tmp_47 += tmp_42
        tmp_48 = tmp_47
        tmp_42 = tmp_47 = None
        tmp_49 = torch.nn.functional.relu(tmp_48, inplace=True)
        tmp_48 = None
        tmp_50 = torch.conv2d(tmp_49, in_76, None, (2, 2), (1, 1), (1, 1), 1)
        tmp_51 = torch.nn.functional.batch_norm(tmp_50, in_77, in_78, in_79, in_80, False, 0.1, 1e-05)
        tmp_50 = None
        tmp_52 = torch.nn.functional.relu(tmp_51, inplace=True)
        tmp_51 = None
        tmp_53 = torch.conv2d(tmp_52, in_81, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_52 = None
        tmp_54 = torch.nn.functional.batch_norm(tmp_53, in_82, in_83, in_84, in_85, False, 0.1, 1e-05)
        tmp_53 = None
        tmp_55 = torch.conv2d(tmp_49, in_86, None, (2, 2), (0, 0), (1, 1), 1)
        tmp_49 = None
        tmp_56 = torch.nn.functional.batch_norm(tmp_55, in_87, in_88, in_89, in_90, False, 0.1, 1e-05)
        tmp_55 = None
        tmp_54 += tmp_56
        tmp_57 = tmp_54
        tmp_54 = tmp_56 = None
        tmp_58 = torch.nn.functional.relu(tmp_57, inplace=True)
        tmp_57 = None
        tmp_59 = torch.conv2d(tmp_58, in_91, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_60 = torch.nn.functional.batch_norm(tmp_59, in_92, in_93, in_94, in_95, False, 0.1, 1e-05)
        tmp_59 = None
        tmp_61 = torch.nn.functional.relu(tmp_60, inplace=True)
        tmp_60 = None
        tmp_62 = torch.conv2d(tmp_61, in_96, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_61 = None
        tmp_63 = torch.nn.functional.batch_norm(tmp_62, in_97, in_98, in_99, in_100, False, 0.1, 1e-05)
        tmp_62 = None
        tmp_63 += tmp_58
        tmp_64 = tmp_63
        tmp_58 = tmp_63 = None
        tmp_65 = torch.nn.functional.relu(tmp_64, inplace=True)
        tmp_64 = None
        tmp_66 = torch.nn.functional.adaptive_avg_pool2d(tmp_65, 1)
        tmp_65 = None
        tmp_67 = tmp_66.flatten(1, -1)
        tmp_66 = None
        tmp_68 = torch.nn.functional.linear(tmp_67, in_101, in_102)
        tmp_67 = None
        return (tmp_68,)