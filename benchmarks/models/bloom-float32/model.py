import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25, in_26, in_27, in_28, in_29, in_30, in_31, in_32, in_33, in_34, in_35, in_36, in_37, in_38, in_39, in_40, in_41, in_42, in_43, in_44, in_45, in_46, in_47, in_48, in_49, in_50, in_51, in_52, in_53):
        tmp_0 = torch.nn.functional.embedding(in_0, in_1, None, None, 2.0, False, False)
        tmp_1 = torch.nn.functional.layer_norm(tmp_0, (1024,), in_2, in_3, 1e-05)
        tmp_0 = None
        tmp_2 = torch.full((), 0.7071067811865476, device=device(type='cpu'), dtype=torch.float32)
        tmp_3 = torch.arange(1, 17, device=device(type='cpu'), dtype=torch.int32)
        tmp_4 = torch.pow(tmp_2, tmp_3)
        tmp_2 = tmp_3 = None
        tmp_5 = tmp_4[(slice(None, None, None), None, None)]
        tmp_4 = None
        tmp_6 = torch.arange(128, device=device(type='cpu'))
        tmp_7 = tmp_5 * tmp_6
        tmp_5 = tmp_6 = None
        tmp_8 = tmp_7.repeat(1, 1, 1)
        tmp_7 = None
        tmp_9 = tmp_8.to(torch.float32)
        tmp_8 = None
        tmp_10 = torch.arange(1, device=device(type='cpu'))
        tmp_10 = None
        tmp_11 = torch.arange(1, device=device(type='cpu'))
        tmp_11 = None
        tmp_12 = torch.arange(128, device=device(type='cpu'))
        tmp_13 = tmp_12 + 0
        tmp_12 = None
        tmp_14 = torch.arange(128, device=device(type='cpu'))
        tmp_15 = tmp_14 + 0
        tmp_14 = None
        tmp_16 = tmp_13[(None, None, slice(None, None, None), None)]
        tmp_13 = None
        tmp_17 = tmp_15[(None, None, None, slice(None, None, None))]
        tmp_15 = None
        tmp_18 = tmp_17 <= tmp_16
        tmp_16 = tmp_17 = None
        tmp_19 = tmp_18.expand(1, -1, 128, 128)
        tmp_18 = None
        tmp_20 = torch.zeros((), device=device(type='cpu'), dtype=torch.float32)
        tmp_21 = torch.where(tmp_19, tmp_20, -3.4028234663852886e+38)
        tmp_19 = tmp_20 = None
        tmp_22 = torch.nn.functional.layer_norm(tmp_1, (1024,), in_4, in_5, 1e-05)
        tmp_23 = torch.nn.functional.linear(tmp_22, in_6, in_7)
        tmp_22 = None
        tmp_24 = tmp_23.view(1, 128, 16, 3, 64)
        tmp_23 = None
        tmp_25 = tmp_24[(..., 0, slice(None, None, None))]
        tmp_26 = tmp_25.transpose(1, 2)
        tmp_25 = None
        tmp_27 = tmp_24[(..., 1, slice(None, None, None))]
        tmp_28 = tmp_27.transpose(1, 2)
        tmp_27 = None
        tmp_29 = tmp_24[(..., 2, slice(None, None, None))]
        tmp_24 = None
        tmp_30 = tmp_29.transpose(1, 2)
        tmp_29 = None
        tmp_31 = tmp_26.reshape(16, -1, 64)
        tmp_26 = None
        tmp_32 = tmp_28.reshape(16, -1, 64)
        tmp_28 = None
        tmp_33 = tmp_32.transpose(-1, -2)
        tmp_32 = None
        tmp_34 = tmp_30.reshape(16, -1, 64)
        tmp_30 = None
        tmp_35 = tmp_9.baddbmm(batch1=tmp_31, batch2=tmp_33, beta=1.0, alpha=0.125)
        tmp_31 = tmp_33 = None
        tmp_36 = tmp_35.view(1, 16, 128, -1)
        tmp_35 = None
        tmp_37 = tmp_36 + tmp_21
        tmp_36 = None
        tmp_38 = torch.nn.functional.softmax(tmp_37, dim=-1, dtype=torch.float32)
        tmp_37 = None
        tmp_39 = tmp_38.to(torch.float32)
        tmp_38 = None
        tmp_40 = torch.nn.functional.dropout(tmp_39, 0.0, False, False)
        tmp_39 = None
        tmp_41 = tmp_40.view(16, 128, -1)
        tmp_40 = None
        tmp_42 = torch.bmm(tmp_41, tmp_34)
        tmp_34 = tmp_41 = None
        tmp_43 = tmp_42.view(1, 16, 128, 64)
        tmp_42 = None
        tmp_44 = tmp_43.permute(0, 2, 1, 3)
        tmp_43 = None
        tmp_45 = tmp_44.reshape(1, 128, 1024)
        tmp_44 = None
        tmp_46 = torch.nn.functional.linear(tmp_45, in_8, in_9)
        tmp_45 = None
        tmp_47 = torch.nn.functional.dropout(tmp_46, p=0.0, training=False)
        tmp_46 = None
        tmp_48 = tmp_1 + tmp_47
        tmp_1 = tmp_47 = None
        tmp_49 = torch.nn.functional.layer_norm(tmp_48, (1024,), in_10, in_11, 1e-05)
        tmp_50 = torch.nn.functional.linear(tmp_49, in_12, in_13)
        tmp_49 = None
        tmp_51 = tmp_50 * 0.5
        tmp_52 = (0.79788456) * tmp_50
        tmp_53 = (0.044715) * tmp_50
        tmp_54 = tmp_53 * tmp_50
        tmp_50 = tmp_53 = None
        tmp_55 = (1) + tmp_54
        tmp_54 = None
        tmp_56 = tmp_52 * tmp_55
        tmp_52 = tmp_55 = None
        tmp_57 = torch.tanh(tmp_56)
        tmp_56 = None
        tmp_58 = (1.0) + tmp_57
        tmp_57 = None
        tmp_59 = tmp_51 * tmp_58
        tmp_51 = tmp_58 = None
        tmp_60 = torch.nn.functional.linear(tmp_59, in_14, in_15)
        tmp_59 = None
        tmp_61 = torch.nn.functional.dropout(tmp_60, p=0.0, training=False)
        tmp_60 = None
        tmp_62 = tmp_48 + tmp_61
        tmp_48 = tmp_61 = None
        tmp_63 = torch.nn.functional.layer_norm(tmp_62, (1024,), in_16, in_17, 1e-05)
        tmp_64 = torch.nn.functional.linear(tmp_63, in_18, in_19)
        tmp_63 = None
        tmp_65 = tmp_64.view(1, 128, 16, 3, 64)
        tmp_64 = None
        tmp_66 = tmp_65[(..., 0, slice(None, None, None))]
        tmp_67 = tmp_66.transpose(1, 2)
        tmp_66 = None
        tmp_68 = tmp_65[(..., 1, slice(None, None, None))]
        tmp_69 = tmp_68.transpose(1, 2)
        tmp_68 = None
        tmp_70 = tmp_65[(..., 2, slice(None, None, None))]
        tmp_65 = None
        tmp_71 = tmp_70.transpose(1, 2)
        tmp_70 = None
        tmp_72 = tmp_67.reshape(16, -1, 64)
        tmp_67 = None
        tmp_73 = tmp_69.reshape(16, -1, 64)
        tmp_69 = None
        tmp_74 = tmp_73.transpose(-1, -2)
        tmp_73 = None
        tmp_75 = tmp_71.reshape(16, -1, 64)
        tmp_71 = None
        tmp_76 = tmp_9.baddbmm(batch1=tmp_72, batch2=tmp_74, beta=1.0, alpha=0.125)
        tmp_72 = tmp_74 = None
        tmp_77 = tmp_76.view(1, 16, 128, -1)
        tmp_76 = None
        tmp_78 = tmp_77 + tmp_21
        tmp_77 = None
        tmp_79 = torch.nn.functional.softmax(tmp_78, dim=-1, dtype=torch.float32)
        tmp_78 = None
        tmp_80 = tmp_79.to(torch.float32)
        tmp_79 = None
        tmp_81 = torch.nn.functional.dropout(tmp_80, 0.0, False, False)
        tmp_80 = None
        tmp_82 = tmp_81.view(16, 128, -1)
        tmp_81 = None
        tmp_83 = torch.bmm(tmp_82, tmp_75)
        tmp_75 = tmp_82 = None
        tmp_84 = tmp_83.view(1, 16, 128, 64)
        tmp_83 = None
        tmp_85 = tmp_84.permute(0, 2, 1, 3)
        tmp_84 = None
        tmp_86 = tmp_85.reshape(1, 128, 1024)
        tmp_85 = None
        tmp_87 = torch.nn.functional.linear(tmp_86, in_20, in_21)
        tmp_86 = None
        tmp_88 = torch.nn.functional.dropout(tmp_87, p=0.0, training=False)
        tmp_87 = None
        tmp_89 = tmp_62 + tmp_88
        tmp_62 = tmp_88 = None
        tmp_90 = torch.nn.functional.layer_norm(tmp_89, (1024,), in_22, in_23, 1e-05)
        tmp_91 = torch.nn.functional.linear(tmp_90, in_24, in_25)
        tmp_90 = None
        tmp_92 = tmp_91 * 0.5
        tmp_93 = (0.79788456) * tmp_91
        tmp_94 = (0.044715) * tmp_91
        tmp_95 = tmp_94 * tmp_91
        tmp_91 = tmp_94 = None
        tmp_96 = (1) + tmp_95
        tmp_95 = None
        tmp_97 = tmp_93 * tmp_96
        tmp_93 = tmp_96 = None
        tmp_98 = torch.tanh(tmp_97)
        tmp_97 = None
        tmp_99 = (1.0) + tmp_98
        tmp_98 = None
        tmp_100 = tmp_92 * tmp_99
        tmp_92 = tmp_99 = None
        tmp_101 = torch.nn.functional.linear(tmp_100, in_26, in_27)
        tmp_100 = None
        tmp_102 = torch.nn.functional.dropout(tmp_101, p=0.0, training=False)
        tmp_101 = None
        tmp_103 = tmp_89 + tmp_102
        tmp_89 = tmp_102 = None
        tmp_104 = torch.nn.functional.layer_norm(tmp_103, (1024,), in_28, in_29, 1e-05)
        tmp_105 = torch.nn.functional.linear(tmp_104, in_30, in_31)
        tmp_104 = None
        tmp_106 = tmp_105.view(1, 128, 16, 3, 64)
        tmp_105 = None
        tmp_107 = tmp_106[(..., 0, slice(None, None, None))]
        tmp_108 = tmp_107.transpose(1, 2)
        tmp_107 = None
        tmp_109 = tmp_106[(..., 1, slice(None, None, None))]
        tmp_110 = tmp_109.transpose(1, 2)
        tmp_109 = None
        tmp_111 = tmp_106[(..., 2, slice(None, None, None))]
        tmp_106 = None
        tmp_112 = tmp_111.transpose(1, 2)
        tmp_111 = None
        tmp_113 = tmp_108.reshape(16, -1, 64)
        tmp_108 = None
        tmp_114 = tmp_110.reshape(16, -1, 64)
        tmp_110 = None
        tmp_115 = tmp_114.transpose(-1, -2)
        tmp_114 = None
        tmp_116 = tmp_112.reshape(16, -1, 64)
        tmp_112 = None
        tmp_117 = tmp_9.baddbmm(batch1=tmp_113, batch2=tmp_115, beta=1.0, alpha=0.125)
        tmp_113 = tmp_115 = None
        tmp_118 = tmp_117.view(1, 16, 128, -1)
        tmp_117 = None
        tmp_119 = tmp_118 + tmp_21
        tmp_118 = None
        tmp_120 = torch.nn.functional.softmax(tmp_119, dim=-1, dtype=torch.float32)
        tmp_119 = None
        tmp_121 = tmp_120.to(torch.float32)
        tmp_120 = None
        tmp_122 = torch.nn.functional.dropout(tmp_121, 0.0, False, False)
        tmp_121 = None
        tmp_123 = tmp_122.view(16, 128, -1)
        tmp_122 = None
        tmp_124 = torch.bmm(tmp_123, tmp_116)
        tmp_116 = tmp_123 = None
        tmp_125 = tmp_124.view(1, 16, 128, 64)
        tmp_124 = None
        tmp_126 = tmp_125.permute(0, 2, 1, 3)
        tmp_125 = None
        tmp_127 = tmp_126.reshape(1, 128, 1024)
        tmp_126 = None
        tmp_128 = torch.nn.functional.linear(tmp_127, in_32, in_33)
        tmp_127 = None
        tmp_129 = torch.nn.functional.dropout(tmp_128, p=0.0, training=False)
        tmp_128 = None
        tmp_130 = tmp_103 + tmp_129
        tmp_103 = tmp_129 = None
        tmp_131 = torch.nn.functional.layer_norm(tmp_130, (1024,), in_34, in_35, 1e-05)
        tmp_132 = torch.nn.functional.linear(tmp_131, in_36, in_37)
        tmp_131 = None
        tmp_133 = tmp_132 * 0.5
        tmp_134 = (0.79788456) * tmp_132
        tmp_135 = (0.044715) * tmp_132
        tmp_136 = tmp_135 * tmp_132
        tmp_132 = tmp_135 = None
        tmp_137 = (1) + tmp_136
        tmp_136 = None
        tmp_138 = tmp_134 * tmp_137
        tmp_134 = tmp_137 = None
        tmp_139 = torch.tanh(tmp_138)
        tmp_138 = None
        tmp_140 = (1.0) + tmp_139
        tmp_139 = None
        tmp_141 = tmp_133 * tmp_140
        tmp_133 = tmp_140 = None
        tmp_142 = torch.nn.functional.linear(tmp_141, in_38, in_39)
        tmp_141 = None
        tmp_143 = torch.nn.functional.dropout(tmp_142, p=0.0, training=False)
        tmp_142 = None
        tmp_144 = tmp_130 + tmp_143
        tmp_130 = tmp_143 = None
        tmp_145 = torch.nn.functional.layer_norm(tmp_144, (1024,), in_40, in_41, 1e-05)
        tmp_146 = torch.nn.functional.linear(tmp_145, in_42, in_43)
        tmp_145 = None
        tmp_147 = tmp_146.view(1, 128, 16, 3, 64)
        tmp_146 = None
        tmp_148 = tmp_147[(..., 0, slice(None, None, None))]
        tmp_149 = tmp_148.transpose(1, 2)
        tmp_148 = None
        tmp_150 = tmp_147[(..., 1, slice(None, None, None))]
        tmp_151 = tmp_150.transpose(1, 2)
        tmp_150 = None
        tmp_152 = tmp_147[(..., 2, slice(None, None, None))]
        tmp_147 = None
        tmp_153 = tmp_152.transpose(1, 2)
        tmp_152 = None
        tmp_154 = tmp_149.reshape(16, -1, 64)
        tmp_149 = None
        tmp_155 = tmp_151.reshape(16, -1, 64)
        tmp_151 = None
        tmp_156 = tmp_155.transpose(-1, -2)
        tmp_155 = None
        tmp_157 = tmp_153.reshape(16, -1, 64)
        tmp_153 = None
        tmp_158 = tmp_9.baddbmm(batch1=tmp_154, batch2=tmp_156, beta=1.0, alpha=0.125)
        tmp_9 = tmp_154 = tmp_156 = None
        tmp_159 = tmp_158.view(1, 16, 128, -1)
        tmp_158 = None
        tmp_160 = tmp_159 + tmp_21
        tmp_21 = tmp_159 = None
        tmp_161 = torch.nn.functional.softmax(tmp_160, dim=-1, dtype=torch.float32)
        tmp_160 = None
        tmp_162 = tmp_161.to(torch.float32)
        tmp_161 = None
        tmp_163 = torch.nn.functional.dropout(tmp_162, 0.0, False, False)
        tmp_162 = None
        tmp_164 = tmp_163.view(16, 128, -1)
        tmp_163 = None
        tmp_165 = torch.bmm(tmp_164, tmp_157)
        tmp_157 = tmp_164 = None
        tmp_166 = tmp_165.view(1, 16, 128, 64)
        tmp_165 = None
        tmp_167 = tmp_166.permute(0, 2, 1, 3)
        tmp_166 = None
        tmp_168 = tmp_167.reshape(1, 128, 1024)
        tmp_167 = None
        tmp_169 = torch.nn.functional.linear(tmp_168, in_44, in_45)
        tmp_168 = None
        tmp_170 = torch.nn.functional.dropout(tmp_169, p=0.0, training=False)
        tmp_169 = None
        tmp_171 = tmp_144 + tmp_170
        tmp_144 = tmp_170 = None
        tmp_172 = torch.nn.functional.layer_norm(tmp_171, (1024,), in_46, in_47, 1e-05)
        tmp_173 = torch.nn.functional.linear(tmp_172, in_48, in_49)
        tmp_172 = None
        tmp_174 = tmp_173 * 0.5
        tmp_175 = (0.79788456) * tmp_173
        tmp_176 = (0.044715) * tmp_173
        tmp_177 = tmp_176 * tmp_173
        tmp_173 = tmp_176 = None
        tmp_178 = (1) + tmp_177
        tmp_177 = None
        tmp_179 = tmp_175 * tmp_178
        tmp_175 = tmp_178 = None
        tmp_180 = torch.tanh(tmp_179)
        tmp_179 = None
        tmp_181 = (1.0) + tmp_180
        tmp_180 = None
        tmp_182 = tmp_174 * tmp_181
        tmp_174 = tmp_181 = None
        tmp_183 = torch.nn.functional.linear(tmp_182, in_50, in_51)
        tmp_182 = None
        tmp_184 = torch.nn.functional.dropout(tmp_183, p=0.0, training=False)
        tmp_183 = None
        tmp_185 = tmp_171 + tmp_184
        tmp_171 = tmp_184 = None
        tmp_186 = torch.nn.functional.layer_norm(tmp_185, (1024,), in_52, in_53, 1e-05)
        tmp_185 = None
        return (tmp_186,)