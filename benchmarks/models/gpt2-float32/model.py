import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25, in_26, in_27, in_28, in_29, in_30, in_31, in_32, in_33, in_34, in_35, in_36, in_37, in_38, in_39, in_40, in_41, in_42, in_43, in_44, in_45, in_46, in_47, in_48, in_49, in_50, in_51, in_52):
        tmp_0 = in_0.view(-1, 128)
        tmp_1 = torch.nn.functional.embedding(tmp_0, in_1, None, None, 2.0, False, False)
        tmp_0 = None
        tmp_2 = torch.arange(128, device=device(type='cpu'))
        tmp_3 = tmp_2 + 0
        tmp_2 = None
        tmp_4 = tmp_3.unsqueeze(0)
        tmp_3 = None
        tmp_5 = torch.nn.functional.embedding(tmp_4, in_2, None, None, 2.0, False, False)
        tmp_6 = tmp_5.to(device(type='cpu'))
        tmp_5 = None
        tmp_7 = tmp_1 + tmp_6
        tmp_1 = tmp_6 = None
        tmp_8 = tmp_4[(slice(None, None, None), slice(None, 1, None))]
        tmp_9 = tmp_8 - 1
        tmp_8 = None
        tmp_10 = torch.diff(tmp_4, prepend=tmp_9, dim=-1)
        tmp_9 = None
        tmp_11 = tmp_10 != 1
        tmp_10 = None
        tmp_12 = tmp_11.cumsum(-1)
        tmp_11 = None
        tmp_13 = tmp_4.expand(1, -1)
        tmp_4 = None
        tmp_14 = torch.arange(1, device=device(type='cpu'))
        tmp_15 = torch.arange(1, device=device(type='cpu'))
        tmp_15 = None
        tmp_16 = torch.arange(128, device=device(type='cpu'))
        tmp_17 = tmp_16 + 0
        tmp_16 = None
        tmp_18 = torch.arange(128, device=device(type='cpu'))
        tmp_19 = tmp_18 + 0
        tmp_18 = None
        tmp_20 = tmp_14[(slice(None, None, None), None, None, None)]
        tmp_14 = None
        tmp_21 = tmp_17[(None, None, slice(None, None, None), None)]
        tmp_17 = None
        tmp_22 = tmp_19[(None, None, None, slice(None, None, None))]
        tmp_19 = None
        tmp_23 = tmp_21.new_ones((), dtype=torch.bool)
        tmp_24 = tmp_12[(tmp_20, tmp_21)]
        tmp_25 = tmp_12[(tmp_20, tmp_22)]
        tmp_12 = None
        tmp_26 = tmp_24 == tmp_25
        tmp_24 = tmp_25 = None
        tmp_27 = tmp_26.to(device(type='cpu'))
        tmp_26 = None
        tmp_28 = tmp_23 & tmp_27
        tmp_23 = tmp_27 = None
        tmp_29 = tmp_13[(tmp_20, tmp_21)]
        tmp_21 = None
        tmp_30 = tmp_13[(tmp_20, tmp_22)]
        tmp_13 = tmp_20 = tmp_22 = None
        tmp_31 = tmp_30 <= tmp_29
        tmp_29 = tmp_30 = None
        tmp_32 = tmp_31.to(device(type='cpu'))
        tmp_31 = None
        tmp_33 = tmp_28 & tmp_32
        tmp_28 = tmp_32 = None
        tmp_34 = tmp_33.expand(1, -1, 128, 128)
        tmp_33 = None
        tmp_35 = torch.zeros((), device=device(type='cpu'), dtype=torch.float32)
        tmp_36 = torch.where(tmp_34, tmp_35, -3.4028234663852886e+38)
        tmp_34 = tmp_35 = None
        tmp_37 = torch.nn.functional.dropout(tmp_7, 0.1, False, False)
        tmp_7 = None
        tmp_38 = torch.nn.functional.layer_norm(tmp_37, (768,), in_3, in_4, 1e-05)
        tmp_39 = tmp_38.view(-1, 768)
        tmp_38 = None
        tmp_40 = torch.addmm(in_5, tmp_39, in_6)
        tmp_39 = None
        tmp_41 = tmp_40.view((1, 128, 2304))
        tmp_40 = None
        tmp_42 = tmp_41.split(768, dim=2)
        tmp_41 = None
        tmp_43 = tmp_42[0]
        tmp_44 = tmp_42[1]
        tmp_45 = tmp_42[2]
        tmp_42 = None
        tmp_46 = tmp_44.view((1, 128, -1, 64))
        tmp_44 = None
        tmp_47 = tmp_46.transpose(1, 2)
        tmp_46 = None
        tmp_48 = tmp_45.view((1, 128, -1, 64))
        tmp_45 = None
        tmp_49 = tmp_48.transpose(1, 2)
        tmp_48 = None
        tmp_50 = tmp_43.view((1, 128, -1, 64))
        tmp_43 = None
        tmp_51 = tmp_50.transpose(1, 2)
        tmp_50 = None
        tmp_52 = tmp_47.transpose(-1, -2)
        tmp_47 = None
        tmp_53 = torch.matmul(tmp_51, tmp_52)
        tmp_51 = tmp_52 = None
        tmp_54 = tmp_53 * 0.125
        tmp_53 = None
        tmp_55 = tmp_54 + tmp_36
        tmp_54 = None
        tmp_56 = torch.nn.functional.softmax(tmp_55, dim=-1)
        tmp_55 = None
        tmp_57 = tmp_56.type(torch.float32)
        tmp_56 = None
        tmp_58 = torch.nn.functional.dropout(tmp_57, p=0.0, training=False)
        tmp_57 = None
        tmp_59 = torch.matmul(tmp_58, tmp_49)
        tmp_49 = tmp_58 = None
        tmp_60 = tmp_59.transpose(1, 2)
        tmp_59 = None
        tmp_61 = tmp_60.reshape(1, 128, -1)
        tmp_60 = None
        tmp_62 = tmp_61.contiguous()
        tmp_61 = None
        tmp_63 = tmp_62.view(-1, 768)
        tmp_62 = None
        tmp_64 = torch.addmm(in_7, tmp_63, in_8)
        tmp_63 = None
        tmp_65 = tmp_64.view((1, 128, 768))
        tmp_64 = None
        tmp_66 = torch.nn.functional.dropout(tmp_65, 0.1, False, False)
        tmp_65 = None
        tmp_67 = tmp_66 + tmp_37
        tmp_37 = tmp_66 = None
        tmp_68 = torch.nn.functional.layer_norm(tmp_67, (768,), in_9, in_10, 1e-05)
        tmp_69 = tmp_68.view(-1, 768)
        tmp_68 = None
        tmp_70 = torch.addmm(in_11, tmp_69, in_12)
        tmp_69 = None
        tmp_71 = tmp_70.view((1, 128, 3072))
        tmp_70 = None
        tmp_72 = (0.5) * tmp_71
        tmp_73 = torch.pow(tmp_71, 3.0)
        tmp_74 = (0.044715) * tmp_73
        tmp_73 = None
        tmp_75 = tmp_71 + tmp_74
        tmp_71 = tmp_74 = None
        tmp_76 = (0.7978845608028654) * tmp_75
        tmp_75 = None
        tmp_77 = torch.tanh(tmp_76)
        tmp_76 = None
        tmp_78 = (1.0) + tmp_77
        tmp_77 = None
        tmp_79 = tmp_72 * tmp_78
        tmp_72 = tmp_78 = None
        tmp_80 = tmp_79.view(-1, 3072)
        tmp_79 = None
        tmp_81 = torch.addmm(in_13, tmp_80, in_14)
        tmp_80 = None
        tmp_82 = tmp_81.view((1, 128, 768))
        tmp_81 = None
        tmp_83 = torch.nn.functional.dropout(tmp_82, 0.1, False, False)
        tmp_82 = None
        tmp_84 = tmp_67 + tmp_83
        tmp_67 = tmp_83 = None
        tmp_85 = torch.nn.functional.layer_norm(tmp_84, (768,), in_15, in_16, 1e-05)
        tmp_86 = tmp_85.view(-1, 768)
        tmp_85 = None
        tmp_87 = torch.addmm(in_17, tmp_86, in_18)
        tmp_86 = None
        tmp_88 = tmp_87.view((1, 128, 2304))
        tmp_87 = None
        tmp_89 = tmp_88.split(768, dim=2)
        tmp_88 = None
        tmp_90 = tmp_89[0]
        tmp_91 = tmp_89[1]
        tmp_92 = tmp_89[2]
        tmp_89 = None
        tmp_93 = tmp_91.view((1, 128, -1, 64))
        tmp_91 = None
        tmp_94 = tmp_93.transpose(1, 2)
        tmp_93 = None
        tmp_95 = tmp_92.view((1, 128, -1, 64))
        tmp_92 = None
        tmp_96 = tmp_95.transpose(1, 2)
        tmp_95 = None
        tmp_97 = tmp_90.view((1, 128, -1, 64))
        tmp_90 = None
        tmp_98 = tmp_97.transpose(1, 2)
        tmp_97 = None
        tmp_99 = tmp_94.transpose(-1, -2)
        tmp_94 = None
        tmp_100 = torch.matmul(tmp_98, tmp_99)
        tmp_98 = tmp_99 = None
        tmp_101 = tmp_100 * 0.125
        tmp_100 = None
        tmp_102 = tmp_101 + tmp_36
        tmp_101 = None
        tmp_103 = torch.nn.functional.softmax(tmp_102, dim=-1)
        tmp_102 = None
        tmp_104 = tmp_103.type(torch.float32)
        tmp_103 = None
        tmp_105 = torch.nn.functional.dropout(tmp_104, p=0.0, training=False)
        tmp_104 = None
        tmp_106 = torch.matmul(tmp_105, tmp_96)
        tmp_96 = tmp_105 = None
        tmp_107 = tmp_106.transpose(1, 2)
        tmp_106 = None
        tmp_108 = tmp_107.reshape(1, 128, -1)
        tmp_107 = None
        tmp_109 = tmp_108.contiguous()
        tmp_108 = None
        tmp_110 = tmp_109.view(-1, 768)
        tmp_109 = None
        tmp_111 = torch.addmm(in_19, tmp_110, in_20)
        tmp_110 = None
        tmp_112 = tmp_111.view((1, 128, 768))
        tmp_111 = None
        tmp_113 = torch.nn.functional.dropout(tmp_112, 0.1, False, False)
        tmp_112 = None
        tmp_114 = tmp_113 + tmp_84
        tmp_84 = tmp_113 = None
        tmp_115 = torch.nn.functional.layer_norm(tmp_114, (768,), in_21, in_22, 1e-05)
        tmp_116 = tmp_115.view(-1, 768)
        tmp_115 = None
        tmp_117 = torch.addmm(in_23, tmp_116, in_24)
        tmp_116 = None
        tmp_118 = tmp_117.view((1, 128, 3072))
        tmp_117 = None
        tmp_119 = (0.5) * tmp_118
        tmp_120 = torch.pow(tmp_118, 3.0)
        tmp_121 = (0.044715) * tmp_120
        tmp_120 = None
        tmp_122 = tmp_118 + tmp_121
        tmp_118 = tmp_121 = None
        tmp_123 = (0.7978845608028654) * tmp_122
        tmp_122 = None
        tmp_124 = torch.tanh(tmp_123)
        tmp_123 = None
        tmp_125 = (1.0) + tmp_124
        tmp_124 = None
        tmp_126 = tmp_119 * tmp_125
        tmp_119 = tmp_125 = None
        tmp_127 = tmp_126.view(-1, 3072)
        tmp_126 = None
        tmp_128 = torch.addmm(in_25, tmp_127, in_26)
        tmp_127 = None
        tmp_129 = tmp_128.view((1, 128, 768))
        tmp_128 = None
        tmp_130 = torch.nn.functional.dropout(tmp_129, 0.1, False, False)
        tmp_129 = None
        tmp_131 = tmp_114 + tmp_130
        tmp_114 = tmp_130 = None
        tmp_132 = torch.nn.functional.layer_norm(tmp_131, (768,), in_27, in_28, 1e-05)
        tmp_133 = tmp_132.view(-1, 768)
        tmp_132 = None
        tmp_134 = torch.addmm(in_29, tmp_133, in_30)
        tmp_133 = None
        tmp_135 = tmp_134.view((1, 128, 2304))
        tmp_134 = None
        tmp_136 = tmp_135.split(768, dim=2)
        tmp_135 = None
        tmp_137 = tmp_136[0]
        tmp_138 = tmp_136[1]
        tmp_139 = tmp_136[2]
        tmp_136 = None
        tmp_140 = tmp_138.view((1, 128, -1, 64))
        tmp_138 = None
        tmp_141 = tmp_140.transpose(1, 2)
        tmp_140 = None
        tmp_142 = tmp_139.view((1, 128, -1, 64))
        tmp_139 = None
        tmp_143 = tmp_142.transpose(1, 2)
        tmp_142 = None
        tmp_144 = tmp_137.view((1, 128, -1, 64))
        tmp_137 = None
        tmp_145 = tmp_144.transpose(1, 2)
        tmp_144 = None
        tmp_146 = tmp_141.transpose(-1, -2)
        tmp_141 = None
        tmp_147 = torch.matmul(tmp_145, tmp_146)
        tmp_145 = tmp_146 = None
        tmp_148 = tmp_147 * 0.125
        tmp_147 = None
        tmp_149 = tmp_148 + tmp_36
        tmp_148 = None
        tmp_150 = torch.nn.functional.softmax(tmp_149, dim=-1)
        tmp_149 = None
        tmp_151 = tmp_150.type(torch.float32)
        tmp_150 = None
        tmp_152 = torch.nn.functional.dropout(tmp_151, p=0.0, training=False)
        tmp_151 = None
        tmp_153 = torch.matmul(tmp_152, tmp_143)
        tmp_143 = tmp_152 = None
        tmp_154 = tmp_153.transpose(1, 2)
        tmp_153 = None
        tmp_155 = tmp_154.reshape(1, 128, -1)
        tmp_154 = None
        tmp_156 = tmp_155.contiguous()
        tmp_155 = None
        tmp_157 = tmp_156.view(-1, 768)
        tmp_156 = None
        tmp_158 = torch.addmm(in_31, tmp_157, in_32)
        tmp_157 = None
        tmp_159 = tmp_158.view((1, 128, 768))
        tmp_158 = None
        tmp_160 = torch.nn.functional.dropout(tmp_159, 0.1, False, False)
        tmp_159 = None
        tmp_161 = tmp_160 + tmp_131
        tmp_131 = tmp_160 = None
        tmp_162 = torch.nn.functional.layer_norm(tmp_161, (768,), in_33, in_34, 1e-05)
        tmp_163 = tmp_162.view(-1, 768)
        tmp_162 = None
        tmp_164 = torch.addmm(in_35, tmp_163, in_36)
        tmp_163 = None
        tmp_165 = tmp_164.view((1, 128, 3072))
        tmp_164 = None
        tmp_166 = (0.5) * tmp_165
        tmp_167 = torch.pow(tmp_165, 3.0)
        tmp_168 = (0.044715) * tmp_167
        tmp_167 = None
        tmp_169 = tmp_165 + tmp_168
        tmp_165 = tmp_168 = None
        tmp_170 = (0.7978845608028654) * tmp_169
        tmp_169 = None
        tmp_171 = torch.tanh(tmp_170)
        tmp_170 = None
        tmp_172 = (1.0) + tmp_171
        tmp_171 = None
        tmp_173 = tmp_166 * tmp_172
        tmp_166 = tmp_172 = None
        tmp_174 = tmp_173.view(-1, 3072)
        tmp_173 = None
        tmp_175 = torch.addmm(in_37, tmp_174, in_38)
        tmp_174 = None
        tmp_176 = tmp_175.view((1, 128, 768))
        tmp_175 = None
        tmp_177 = torch.nn.functional.dropout(tmp_176, 0.1, False, False)
        tmp_176 = None
        tmp_178 = tmp_161 + tmp_177
        tmp_161 = tmp_177 = None
        tmp_179 = torch.nn.functional.layer_norm(tmp_178, (768,), in_39, in_40, 1e-05)
        tmp_180 = tmp_179.view(-1, 768)
        tmp_179 = None
        tmp_181 = torch.addmm(in_41, tmp_180, in_42)
        tmp_180 = None
        tmp_182 = tmp_181.view((1, 128, 2304))
        tmp_181 = None
        tmp_183 = tmp_182.split(768, dim=2)
        tmp_182 = None
        tmp_184 = tmp_183[0]
        tmp_185 = tmp_183[1]
        tmp_186 = tmp_183[2]
        tmp_183 = None
        tmp_187 = tmp_185.view((1, 128, -1, 64))
        tmp_185 = None
        tmp_188 = tmp_187.transpose(1, 2)
        tmp_187 = None
        tmp_189 = tmp_186.view((1, 128, -1, 64))
        tmp_186 = None
        tmp_190 = tmp_189.transpose(1, 2)
        tmp_189 = None
        tmp_191 = tmp_184.view((1, 128, -1, 64))
        tmp_184 = None
        tmp_192 = tmp_191.transpose(1, 2)
        tmp_191 = None
        tmp_193 = tmp_188.transpose(-1, -2)
        tmp_188 = None
        tmp_194 = torch.matmul(tmp_192, tmp_193)
        tmp_192 = tmp_193 = None
        tmp_195 = tmp_194 * 0.125
        tmp_194 = None
        tmp_196 = tmp_195 + tmp_36
        tmp_36 = tmp_195 = None
        tmp_197 = torch.nn.functional.softmax(tmp_196, dim=-1)
        tmp_196 = None
        tmp_198 = tmp_197.type(torch.float32)
        tmp_197 = None
        tmp_199 = torch.nn.functional.dropout(tmp_198, p=0.0, training=False)
        tmp_198 = None
        tmp_200 = torch.matmul(tmp_199, tmp_190)
        tmp_190 = tmp_199 = None
        tmp_201 = tmp_200.transpose(1, 2)
        tmp_200 = None
        tmp_202 = tmp_201.reshape(1, 128, -1)
        tmp_201 = None
        tmp_203 = tmp_202.contiguous()
        tmp_202 = None
        tmp_204 = tmp_203.view(-1, 768)
        tmp_203 = None
        tmp_205 = torch.addmm(in_43, tmp_204, in_44)
        tmp_204 = None
        tmp_206 = tmp_205.view((1, 128, 768))
        tmp_205 = None
        tmp_207 = torch.nn.functional.dropout(tmp_206, 0.1, False, False)
        tmp_206 = None
        tmp_208 = tmp_207 + tmp_178
        tmp_178 = tmp_207 = None
        tmp_209 = torch.nn.functional.layer_norm(tmp_208, (768,), in_45, in_46, 1e-05)
        tmp_210 = tmp_209.view(-1, 768)
        tmp_209 = None
        tmp_211 = torch.addmm(in_47, tmp_210, in_48)
        tmp_210 = None
        tmp_212 = tmp_211.view((1, 128, 3072))
        tmp_211 = None
        tmp_213 = (0.5) * tmp_212
        tmp_214 = torch.pow(tmp_212, 3.0)
        tmp_215 = (0.044715) * tmp_214
        tmp_214 = None
        tmp_216 = tmp_212 + tmp_215
        tmp_212 = tmp_215 = None
        tmp_217 = (0.7978845608028654) * tmp_216
        tmp_216 = None
        tmp_218 = torch.tanh(tmp_217)
        tmp_217 = None
        tmp_219 = (1.0) + tmp_218
        tmp_218 = None
        tmp_220 = tmp_213 * tmp_219
        tmp_213 = tmp_219 = None
        tmp_221 = tmp_220.view(-1, 3072)
        tmp_220 = None
        tmp_222 = torch.addmm(in_49, tmp_221, in_50)
        tmp_221 = None
        tmp_223 = tmp_222.view((1, 128, 768))
        tmp_222 = None
        tmp_224 = torch.nn.functional.dropout(tmp_223, 0.1, False, False)
        tmp_223 = None
        tmp_225 = tmp_208 + tmp_224
        tmp_208 = tmp_224 = None
        tmp_226 = torch.nn.functional.layer_norm(tmp_225, (768,), in_51, in_52, 1e-05)
        tmp_225 = None
        tmp_227 = tmp_226.view((-1, 128, 768))
        tmp_226 = None
        return (tmp_227,)