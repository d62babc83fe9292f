import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25, in_26, in_27, in_28, in_29, in_30, in_31, in_32, in_33, in_34, in_35, in_36, in_37, in_38, in_39, in_40, in_41, in_42, in_43, in_44, in_45, in_46, in_47, in_48, in_49, in_50, in_51, in_52, in_53, in_54, in_55, in_56, in_57, in_58, in_59, in_60, in_61, in_62, in_63, in_64, in_65, in_66, in_67, in_68, in_69, in_70, in_71, in_72, in_73, in_74, in_75, in_76, in_77, in_78, in_79, in_80, in_81, in_82, in_83, in_84, in_85, in_86, in_87, in_88, in_89, in_90, in_91, in_92, in_93, in_94, in_95, in_96, in_97, in_98, in_99, in_100, in_101, in_102, in_103, in_104, in_105, in_106, in_107, in_108, in_109, in_110, in_111, in_112, in_113, in_114, in_115, in_116, in_117, in_118, in_119, in_120, in_121, in_122, in_123, in_124, in_125, in_126, in_127, in_128, in_129, in_130, in_131, in_132):
        tmp_0 = torch.conv2d(in_2, in_0, in_1, (4, 4), (2, 2), (1, 1), 1)
        tmp_1 = torch.nn.functional.group_norm(tmp_0, 1, in_3, in_4, 1e-05)
        tmp_2 = torch.nn.functional.avg_pool2d(tmp_1, 3, 1, 1, False, False, None)
        tmp_3 = tmp_2 - tmp_1
        tmp_1 = tmp_2 = None
        tmp_4 = in_5.view((64, 1, 1))
        tmp_5 = tmp_3 * tmp_4
        tmp_3 = tmp_4 = None
        tmp_6 = tmp_0 + tmp_5
        tmp_0 = tmp_5 = None
        tmp_7 = torch.nn.functional.group_norm(tmp_6, 1, in_6, in_7, 1e-05)
        tmp_8 = torch.conv2d(tmp_7, in_8, in_9, (1, 1), (0, 0), (1, 1), 1)
        tmp_7 = None
        tmp_9 = torch.nn.functional.gelu(tmp_8, approximate='none')
        tmp_8 = None
        tmp_10 = torch.nn.functional.dropout(tmp_9, 0.0, False, False)
        tmp_9 = None
        tmp_11 = torch.conv2d(tmp_10, in_10, in_11, (1, 1), (0, 0), (1, 1), 1)
        tmp_10 = None
        tmp_12 = torch.nn.functional.dropout(tmp_11, 0.0, False, False)
        tmp_11 = None
        tmp_13 = in_12.view((64, 1, 1))
        tmp_14 = tmp_12 * tmp_13
        tmp_12 = tmp_13 = None
        tmp_15 = tmp_6 + tmp_14
        tmp_6 = tmp_14 = None
        tmp_16 = torch.nn.functional.group_norm(tmp_15, 1, in_13, in_14, 1e-05)
        tmp_17 = torch.nn.functional.avg_pool2d(tmp_16, 3, 1, 1, False, False, None)
        tmp_18 = tmp_17 - tmp_16
        tmp_16 = tmp_17 = None
        tmp_19 = in_15.view((64, 1, 1))
        tmp_20 = tmp_18 * tmp_19
        tmp_18 = tmp_19 = None
        tmp_21 = tmp_15 + tmp_20
        tmp_15 = tmp_20 = None
        tmp_22 = torch.nn.functional.group_norm(tmp_21, 1, in_16, in_17, 1e-05)
        tmp_23 = torch.conv2d(tmp_22, in_18, in_19, (1, 1), (0, 0), (1, 1), 1)
        tmp_22 = None
        tmp_24 = torch.nn.functional.gelu(tmp_23, approximate='none')
        tmp_23 = None
        tmp_25 = torch.nn.functional.dropout(tmp_24, 0.0, False, False)
        tmp_24 = None
        tmp_26 = torch.conv2d(tmp_25, in_20, in_21, (1, 1), (0, 0), (1, 1), 1)
        tmp_25 = None
        tmp_27 = torch.nn.functional.dropout(tmp_26, 0.0, False, False)
        tmp_26 = None
        tmp_28 = in_22.view((64, 1, 1))
        tmp_29 = tmp_27 * tmp_28
        tmp_27 = tmp_28 = None
        tmp_30 = tmp_21 + tmp_29
        tmp_21 = tmp_29 = None
        tmp_31 = torch.conv2d(tmp_30, in_23, in_24, (2, 2), (1, 1), (1, 1), 1)
        tmp_30 = None
        tmp_32 = torch.nn.functional.group_norm(tmp_31, 1, in_25, in_26, 1e-05)
        tmp_33 = torch.nn.functional.avg_pool2d(tmp_32, 3, 1, 1, False, False, None)
        tmp_34 = tmp_33 - tmp_32
        tmp_32 = tmp_33 = None
        tmp_35 = in_27.view((128, 1, 1))
        tmp_36 = tmp_34 * tmp_35
        tmp_34 = tmp_35 = None
        tmp_37 = tmp_31 + tmp_36
        tmp_31 = tmp_36 = None
        tmp_38 = torch.nn.functional.group_norm(tmp_37, 1, in_28, in_29, 1e-05)
        tmp_39 = torch.conv2d(tmp_38, in_30, in_31, (1, 1), (0, 0), (1, 1), 1)
        tmp_38 = None
        tmp_40 = torch.nn.functional.gelu(tmp_39, approximate='none')
        tmp_39 = None
        tmp_41 = torch.nn.functional.dropout(tmp_40, 0.0, False, False)
        tmp_40 = None
        tmp_42 = torch.conv2d(tmp_41, in_32, in_33, (1, 1), (0, 0), (1, 1), 1)
        tmp_41 = None
        tmp_43 = torch.nn.functional.dropout(tmp_42, 0.0, False, False)
        tmp_42 = None
        tmp_44 = in_34.view((128, 1, 1))
        tmp_45 = tmp_43 * tmp_44
        tmp_43 = tmp_44 = None
        tmp_46 = tmp_37 + tmp_45
        tmp_37 = tmp_45 = None
        tmp_47 = torch.nn.functional.group_norm(tmp_46, 1, in_35, in_36, 1e-05)
        tmp_48 = torch.nn.functional.avg_pool2d(tmp_47, 3, 1, 1, False, False, None)
        tmp_49 = tmp_48 - tmp_47
        tmp_47 = tmp_48 = None
        tmp_50 = in_37.view((128, 1, 1))
        tmp_51 = tmp_49 * tmp_50
        tmp_49 = tmp_50 = None
        tmp_52 = tmp_46 + tmp_51
        tmp_46 = tmp_51 = None
        tmp_53 = torch.nn.functional.group_norm(tmp_52, 1, in_38, in_39, 1e-05)
        tmp_54 = torch.conv2d(tmp_53, in_40, in_41, (1, 1), (0, 0), (1, 1), 1)
        tmp_53 = None
        tmp_55 = torch.nn.functional.gelu(tmp_54, approximate='none')
        tmp_54 = None
        tmp_56 = torch.nn.functional.dropout(tmp_55, 0.0, False, False)
        tmp_55 = None
        tmp_57 = torch.conv2d(tmp_56, in_42, in_43, (1, 1), (0, 0), (1, 1), 1)
        tmp_56 = None
        tmp_58 = torch.nn.functional.dropout(tmp_57, 0.0, False, False)
        tmp_57 = None
        tmp_59 = in_44.view((128, 1, 1))
        tmp_60 = tmp_58 * tmp_59
        tmp_58 = tmp_59 = None
        tmp_61 = tmp_52 + tmp_60
        tmp_52 = tmp_60 = None
        tmp_62 = torch.conv2d(tmp_61, in_45, in_46, (2, 2), (1, 1), (1, 1), 1)
        tmp_61 = None
        tmp_63 = torch.nn.functional.group_norm(tmp_62, 1, in_47, in_48, 1e-05)
        tmp_64 = torch.nn.functional.avg_pool2d(tmp_63, 3, 1, 1, False, False, None)
        tmp_65 = tmp_64 - tmp_63
        tmp_63 = tmp_64 = None
        tmp_66 = in_49.view((320, 1, 1))
        tmp_67 = tmp_65 * tmp_66
        tmp_65 = tmp_66 = None
        tmp_68 = tmp_62 + tmp_67
        tmp_62 = tmp_67 = None
        tmp_69 = torch.nn.functional.group_norm(tmp_68, 1, in_50, in_51, 1e-05)
        tmp_70 = torch.conv2d(tmp_69, in_52, in_53, (1, 1), (0, 0), (1, 1), 1)
        tmp_69 = None
        tmp_71 = torch.nn.functional.gelu(tmp_70, approximate='none')
        tmp_70 = None
        tmp_72 = torch.nn.functional.dropout(tmp_71, 0.0, False, False)
        tmp_71 = None
        tmp_73 = torch.conv2d(tmp_72, in_54, in_55, (1, 1), (0, 0), (1, 1), 1)
        tmp_72 = None
        tmp_74 = torch.nn.functional.dropout(tmp_73, 0.0, False, False)
        tmp_73 = None
        tmp_75 = in_56.view((320, 1, 1))
        tmp_76 = tmp_74 * tmp_75
        tmp_74 = tmp_75 = None
        tmp_77 = tmp_68 + tmp_76
        tmp_68 = tmp_76 = None
        tmp_78 = torch.nn.functional.group_norm(tmp_77, 1, in_57, in_58, 1e-05)
        tmp_79 = torch.nn.functional.avg_pool2d(tmp_78, 3, 1, 1, False, False, None)
        tmp_80 = tmp_79 - tmp_78
        tmp_78 = tmp_79 = None
        tmp_81 = in_59.view((320, 1, 1))
        tmp_82 = tmp_80 * tmp_81
        tmp_80 = tmp_81 = None
        tmp_83 = tmp_77 + tmp_82
        tmp_77 = tmp_82 = None
        tmp_84 = torch.nn.functional.group_norm(tmp_83, 1, in_60, in_61, 1e-05)
        tmp_85 = torch.conv2d(tmp_84, in_62, in_63, (1, 1), (0, 0), (1, 1), 1)
        tmp_84 = None
        tmp_86 = torch.nn.functional.gelu(tmp_85, approximate='none')
        tmp_85 = None
        tmp_87 = torch.nn.functional.dropout(tmp_86, 0.0, False, False)
        tmp_86 = None
        tmp_88 = torch.conv2d(tmp_87, in_64, in_65, (1, 1), (0, 0), (1, 1), 1)
        tmp_87 = None
        tmp_89 = torch.nn.functional.dropout(tmp_88, 0.0, False, False)
        tmp_88 = None
        tmp_90 = in_66.view((320, 1, 1))
        tmp_91 = tmp_89 * tmp_90
        tmp_89 = tmp_90 = None
        tmp_92 = tmp_83 + tmp_91
        tmp_83 = tmp_91 = None
        tmp_93 = torch.nn.functional.group_norm(tmp_92, 1, in_67, in_68, 1e-05)
        tmp_94 = torch.nn.functional.avg_pool2d(tmp_93, 3, 1, 1, False, False, None)
        tmp_95 = tmp_94 - tmp_93
        tmp_93 = tmp_94 = None
        tmp_96 = in_69.view((320, 1, 1))
        tmp_97 = tmp_95 * tmp_96
        tmp_95 = tmp_96 = None
        tmp_98 = tmp_92 + tmp_97
        tmp_92 = tmp_97 = None
        tmp_99 = torch.nn.functional.group_norm(tmp_98, 1, in_70, in_71, 1e-05)
        tmp_100 = torch.conv2d(tmp_99, in_72, in_73, (1, 1), (0, 0), (1, 1), 1)
        tmp_99 = None
        tmp_101 = torch.nn.functional.gelu(tmp_100, approximate='none')
        tmp_100 = None
        tmp_102 = torch.nn.functional.dropout(tmp_101, 0.0, False, False)
        tmp_101 = None
        tmp_103 = torch.conv2d(tmp_102, in_74, in_75, (1, 1), (0, 0), (1, 1), 1)
        tmp_102 = None
        tmp_104 = torch.nn.functional.dropout(tmp_103, 0.0, False, False)
        tmp_103 = None
        tmp_105 = in_76.view((320, 1, 1))
        tmp_106 = tmp_104 * tmp_105
        tmp_104 = tmp_105 = None
        tmp_107 = tmp_98 + tmp_106
        tmp_98 = tmp_106 = None
        tmp_108 = torch.nn.functional.group_norm(tmp_107, 1, in_77, in_78, 1e-05)
        tmp_109 = torch.nn.functional.avg_pool2d(tmp_108, 3, 1, 1, False, False, None)
        tmp_110 = tmp_109 - tmp_108
        tmp_108 = tmp_109 = None
        tmp_111 = in_79.view((320, 1, 1))
        tmp_112 = tmp_110 * tmp_111
        tmp_110 = tmp_111 = None
        tmp_113 = tmp_107 + tmp_112
        tmp_107 = tmp_112 = None
        tmp_114 = torch.nn.functional.group_norm(tmp_113, 1, in_80, in_81, 1e-05)
        tmp_115 = torch.conv2d(tmp_114, in_82, in_83, (1, 1), (0, 0), (1, 1), 1)
        tmp_114 = None
        tmp_116 = torch.nn.functional.gelu(tmp_115, approximate='none')
        tmp_115 = None
        tmp_117 = torch.nn.functional.dropout(tmp_116, 0.0, False, False)
        tmp_116 = None
        tmp_118 = torch.conv2d(tmp_117, in_84, in_85, (1, 1), (0, 0), (1, 1), 1)
        tmp_117 = None
        tmp_119 = torch.nn.functional.dropout(tmp_118, 0.0, False, False)
        tmp_118 = None
        tmp_120 = in_86.view((320, 1, 1))
        tmp_121 = tmp_119 * tmp_120
        tmp_119 = tmp_120 = None
        tmp_122 = tmp_113 + tmp_121
        tmp_113 = tmp_121 = None
        tmp_123 = torch.nn.functional.group_norm(tmp_122, 1, in_87, in_88, 1e-05)
        tmp_124 = torch.nn.functional.avg_pool2d(tmp_123, 3, 1, 1, False, False, None)
        tmp_125 = tmp_124 - tmp_123
        tmp_123 = tmp_124 = None
        tmp_126 = in_89.view((320, 1, 1))
        tmp_127 = tmp_125 * tmp_126
        tmp_125 = tmp_126 = None
        tmp_128 = tmp_122 + tmp_127
        tmp_122 = tmp_127 = None
        tmp_129 = torch.nn.functional.group_norm(tmp_128, 1, in_90, in_91, 1e-05)
        tmp_130 = torch.conv2d(tmp_129, in_92, in_93, (1, 1), (0, 0), (1, 1), 1)
        tmp_129 = None
        tmp_131 = torch.nn.functional.gelu(tmp_130, approximate='none')
        tmp_130 = None
        tmp_132 = torch.nn.functional.dropout(tmp_131, 0.0, False, False)
        tmp_131 = None
        tmp_133 = torch.conv2d(tmp_132, in_94, in_95, (1, 1), (0, 0), (1, 1), 1)
        tmp_132 = None
        tmp_134 = torch.nn.functional.dropout(tmp_133, 0.0, False, False)
        tmp_133 = None
        tmp_135 = in_96.view((320, 1, 1))
        tmp_136 = tmp_134 * tmp_135
        tmp_134 = tmp_135 = None
        tmp_137 = tmp_128 + tmp_136
        tmp_128 = tmp_136 = None
        tmp_138 = torch.nn.functional.group_norm(tmp_137, 1, in_97, in_98, 1e-05)
        tmp_139 = torch.nn.functional.avg_pool2d(tmp_138, 3, 1, 1, False, False, None)
        tmp_140 = tmp_139 - tmp_138
        tmp_138 = tmp_139 = None
        tmp_141 = in_99.view((320, 1, 1))
        tmp_142 = tmp_140 * tmp_141
        tmp_140 = tmp_141 = None
        tmp_143 = tmp_137 + tmp_142
        tmp_137 = tmp_142 = None
        tmp_144 = torch.nn.functional.group_norm(tmp_143, 1, in_100, in_101, 1e-05)
        tmp_145 = torch.conv2d(tmp_144, in_102, in_103, (1, 1), (0, 0), (1, 1), 1)
        tmp_144 = None
        tmp_146 = torch.nn.functional.gelu(tmp_145, approximate='none')
        tmp_145 = None
        tmp_147 = torch.nn.functional.dropout(tmp_146, 0.0, False, False)
        tmp_146 = None
        tmp_148 = torch.conv2d(tmp_147, in_104, in_105, (1, 1), (0, 0), (1, 1), 1)
        tmp_147 = None
        tmp_149 = torch.nn.functional.dropout(tmp_148, 0.0, False, False)
        tmp_148 = None
        tmp_150 = in_106.view((320, 1, 1))
        tmp_151 = tmp_149 * tmp_150
        tmp_149 = tmp_150 = None
        tmp_152 = tmp_143 + tmp_151
        tmp_143 = tmp_151 = None
        tmp_153 = torch.conv2d(tmp_152, in_107, in_108, (2, 2), (1, 1), (1, 1), 1)
        tmp_152 = None
        tmp_154 = torch.nn.functional.group_norm(tmp_153, 1, in_109, in_110, 1e-05)
        tmp_155 = torch.nn.functional.avg_pool2d(tmp_154, 3, 1, 1, False, False, None)
        tmp_156 = tmp_155 - tmp_154
        tmp_154 = tmp_155 = None
        tmp_157 = in_111.view((512, 1, 1))
        tmp_158 = tmp_156 * tmp_157
        tmp_156 = tmp_157 = None
        tmp_159 = tmp_153 + tmp_158
        tmp_153 = tmp_158 = None
        tmp_160 = torch.nn.functional.group_norm(tmp_159, 1, in_112, in_113, 1e-05)
        tmp_161 = torch.conv2d(tmp_160, in_114, in_115, (1, 1), (0, 0), (1, 1), 1)
        tmp_160 = None
        tmp_162 = torch.nn.functional.gelu(tmp_161, approximate='none')
        tmp_161 = None
        tmp_163 = torch.nn.functional.dropout(tmp_162, 0.0, False, False)
        tmp_162 = None
        tmp_164 = torch.conv2d(tmp_163, in_116, in_117, (1, 1), (0, 0), (1, 1), 1)
        tmp_163 = None
        tmp_165 = torch.nn.functional.dropout(tmp_164, 0.0, False, False)
        tmp_164 = None
        tmp_166 = in_118.view((512, 1, 1))
        tmp_167 = tmp_165 * tmp_166
        tmp_165 = tmp_166 = None
        tmp_168 = tmp_159 + tmp_167
        tmp_159 = tmp_167 = None
        tmp_169 = torch.nn.functional.group_norm(tmp_168, 1, in_119, in_120, 1e-05)
        tmp_170 = torch.nn.functional.avg_pool2d(tmp_169, 3, 1, 1, False, False, None)
        tmp_171 = tmp_170 - tmp_169
        tmp_169 = tmp_170 = None
        tmp_172 = in_121.view((512, 1, 1))
        tmp_173 = tmp_171 * tmp_172
        tmp_171 = tmp_172 = None
        tmp_174 = tmp_168 + tmp_173
        tmp_168 = tmp_173 = None
        tmp_175 = torch.nn.functional.group_norm(tmp_174, 1, in_122, in_123, 1e-05)
        tmp_176 = torch.conv2d(tmp_175, in_124, in_125, (1, 1), (0, 0), (1, 1), 1)
        tmp_175 = None
        tmp_177 = torch.nn.functional.gelu(tmp_176, approximate='none')
        tmp_176 = None
        tmp_178 = torch.nn.functional.dropout(tmp_177, 0.0, False, False)
        tmp_177 = None
        tmp_179 = torch.conv2d(tmp_178, in_126, in_127, (1, 1), (0, 0), (1, 1), 1)
        tmp_178 = None
        tmp_180 = torch.nn.functional.dropout(tmp_179, 0.0, False, False)
        tmp_179 = None
        tmp_181 = in_128.view((512, 1, 1))
        tmp_182 = tmp_180 * tmp_181
        tmp_180 = tmp_181 = None
        tmp_183 = tmp_174 + tmp_182
        tmp_174 = tmp_182 = None
        tmp_184 = torch.nn.functional.adaptive_avg_pool2d(tmp_183, 1)
        tmp_183 = None
        tmp_185 = tmp_184.permute(0, 2, 3, 1)
        tmp_184 = None
        tmp_186 = torch.nn.functional.layer_norm(tmp_185, (512,), in_129, in_130, 1e-06)
        tmp_185 = None
        tmp_187 = tmp_186.permute(0, 3, 1, 2)
        tmp_186 = None
        tmp_188 = tmp_187.flatten(1, -1)
        tmp_187 = None
        tmp_189 = torch.nn.functional.dropout(tmp_188, 0.0, False, False)
        tmp_188 = None
        tmp_190 = torch.nn.functional.linear(tmp_189, in_131, in_132)
        tmp_189 = None
        return (tmp_190,)