import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25, in_26, in_27, in_28, in_29, in_30, in_31, in_32, in_33, in_34, in_35, in_36, in_37, in_38, in_39):
        tmp_0 = torch.nn.functional.embedding(in_0, in_1, None, None, 2.0, False, False)
        tmp_1 = torch.arange(128, device=device(type='cpu'))
        tmp_2 = tmp_1 + 0
        tmp_1 = None
        tmp_3 = tmp_2.unsqueeze(0)
        tmp_2 = None
        tmp_4 = tmp_3[(slice(None, None, None), slice(None, 1, None))]
        tmp_5 = tmp_4 - 1
        tmp_4 = None
        tmp_6 = torch.diff(tmp_3, prepend=tmp_5, dim=-1)
        tmp_5 = None
        tmp_7 = tmp_6 != 1
        tmp_6 = None
        tmp_8 = tmp_7.cumsum(-1)
        tmp_7 = None
        tmp_9 = tmp_3.expand(1, -1)
        tmp_10 = torch.arange(1, device=device(type='cpu'))
        tmp_11 = torch.arange(1, device=device(type='cpu'))
        tmp_11 = None
        tmp_12 = torch.arange(128, device=device(type='cpu'))
        tmp_13 = tmp_12 + 0
        tmp_12 = None
        tmp_14 = torch.arange(128, device=device(type='cpu'))
        tmp_15 = tmp_14 + 0
        tmp_14 = None
        tmp_16 = tmp_10[(slice(None, None, None), None, None, None)]
        tmp_10 = None
        tmp_17 = tmp_13[(None, None, slice(None, None, None), None)]
        tmp_13 = None
        tmp_18 = tmp_15[(None, None, None, slice(None, None, None))]
        tmp_15 = None
        tmp_19 = tmp_17.new_ones((), dtype=torch.bool)
        tmp_20 = tmp_8[(tmp_16, tmp_17)]
        tmp_21 = tmp_8[(tmp_16, tmp_18)]
        tmp_8 = None
        tmp_22 = tmp_20 == tmp_21
        tmp_20 = tmp_21 = None
        tmp_23 = tmp_22.to(device(type='cpu'))
        tmp_22 = None
        tmp_24 = tmp_19 & tmp_23
        tmp_19 = tmp_23 = None
        tmp_25 = tmp_9[(tmp_16, tmp_17)]
        tmp_17 = None
        tmp_26 = tmp_9[(tmp_16, tmp_18)]
        tmp_9 = tmp_16 = tmp_18 = None
        tmp_27 = tmp_26 <= tmp_25
        tmp_25 = tmp_26 = None
        tmp_28 = tmp_27.to(device(type='cpu'))
        tmp_27 = None
        tmp_29 = tmp_24 & tmp_28
        tmp_24 = tmp_28 = None
        tmp_30 = tmp_29.expand(1, -1, 128, 128)
        tmp_29 = None
        tmp_31 = torch.zeros((), device=device(type='cpu'), dtype=torch.float32)
        tmp_32 = torch.where(tmp_30, tmp_31, -3.4028234663852886e+38)
        tmp_30 = tmp_31 = None
        tmp_33 = tmp_3[(..., None)]
        tmp_3 = None
        tmp_34 = tmp_33.float()
        tmp_33 = None
        tmp_35 = in_2.to(device=device(type='cpu'), dtype=torch.float32)
        tmp_36 = tmp_34 * tmp_35
        tmp_34 = tmp_35 = None
        tmp_37 = torch.cat((tmp_36, tmp_36), dim=-1)
        tmp_36 = None
        tmp_38 = tmp_37.cos()
        tmp_39 = tmp_38 * 1.0
        tmp_38 = None
        tmp_40 = tmp_37.sin()
        tmp_37 = None
        tmp_41 = tmp_40 * 1.0
        tmp_40 = None
        tmp_42 = tmp_39.to(dtype=torch.float32)
        tmp_39 = None
        tmp_43 = tmp_41.to(dtype=torch.float32)
        tmp_41 = None
        tmp_44 = torch._C._log_api_usage_once('python.nn_module')
        tmp_44 = None
        tmp_45 = tmp_0.to(torch.float32)
        tmp_46 = tmp_45.pow(2)
        tmp_47 = tmp_46.mean(-1, keepdim=True)
        tmp_46 = None
        tmp_48 = tmp_47 + 1e-06
        tmp_47 = None
        tmp_49 = torch.rsqrt(tmp_48)
        tmp_48 = None
        tmp_50 = tmp_45 * tmp_49
        tmp_45 = tmp_49 = None
        tmp_51 = tmp_50.to(torch.float32)
        tmp_50 = None
        tmp_52 = in_3 * tmp_51
        tmp_51 = None
        tmp_53 = torch.nn.functional.linear(tmp_52, in_4, None)
        tmp_54 = tmp_53.view((1, 128, -1, 32))
        tmp_53 = None
        tmp_55 = tmp_54.transpose(1, 2)
        tmp_54 = None
        tmp_56 = torch.nn.functional.linear(tmp_52, in_5, None)
        tmp_57 = tmp_56.view((1, 128, -1, 32))
        tmp_56 = None
        tmp_58 = tmp_57.transpose(1, 2)
        tmp_57 = None
        tmp_59 = torch.nn.functional.linear(tmp_52, in_6, None)
        tmp_52 = None
        tmp_60 = tmp_59.view((1, 128, -1, 32))
        tmp_59 = None
        tmp_61 = tmp_60.transpose(1, 2)
        tmp_60 = None
        tmp_62 = tmp_42.unsqueeze(1)
        tmp_63 = tmp_43.unsqueeze(1)
        tmp_64 = tmp_55 * tmp_62
        tmp_65 = tmp_55[(..., slice(None, 16, None))]
        tmp_66 = tmp_55[(..., slice(16, None, None))]
        tmp_55 = None
        tmp_67 = -tmp_66
        tmp_66 = None
        tmp_68 = torch.cat((tmp_67, tmp_65), dim=-1)
        tmp_65 = tmp_67 = None
        tmp_69 = tmp_68 * tmp_63
        tmp_68 = None
        tmp_70 = tmp_64 + tmp_69
        tmp_64 = tmp_69 = None
        tmp_71 = tmp_58 * tmp_62
        tmp_62 = None
        tmp_72 = tmp_58[(..., slice(None, 16, None))]
        tmp_73 = tmp_58[(..., slice(16, None, None))]
        tmp_58 = None
        tmp_74 = -tmp_73
        tmp_73 = None
        tmp_75 = torch.cat((tmp_74, tmp_72), dim=-1)
        tmp_72 = tmp_74 = None
        tmp_76 = tmp_75 * tmp_63
        tmp_63 = tmp_75 = None
        tmp_77 = tmp_71 + tmp_76
        tmp_71 = tmp_76 = None
        tmp_78 = tmp_77[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_77 = None
        tmp_79 = tmp_78.expand(1, 8, 4, 128, 32)
        tmp_78 = None
        tmp_80 = tmp_79.reshape(1, 32, 128, 32)
        tmp_79 = None
        tmp_81 = tmp_61[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_61 = None
        tmp_82 = tmp_81.expand(1, 8, 4, 128, 32)
        tmp_81 = None
        tmp_83 = tmp_82.reshape(1, 32, 128, 32)
        tmp_82 = None
        tmp_84 = tmp_80.transpose(2, 3)
        tmp_80 = None
        tmp_85 = torch.matmul(tmp_70, tmp_84)
        tmp_70 = tmp_84 = None
        tmp_86 = tmp_85 * 0.1767766952966369
        tmp_85 = None
        tmp_87 = tmp_86 + tmp_32
        tmp_86 = None
        tmp_88 = torch.nn.functional.softmax(tmp_87, dim=-1, dtype=torch.float32)
        tmp_87 = None
        tmp_89 = tmp_88.to(torch.float32)
        tmp_88 = None
        tmp_90 = torch.nn.functional.dropout(tmp_89, p=0.0, training=False)
        tmp_89 = None
        tmp_91 = torch.matmul(tmp_90, tmp_83)
        tmp_83 = tmp_90 = None
        tmp_92 = tmp_91.transpose(1, 2)
        tmp_91 = None
        tmp_93 = tmp_92.contiguous()
        tmp_92 = None
        tmp_94 = tmp_93.reshape(1, 128, -1)
        tmp_93 = None
        tmp_95 = tmp_94.contiguous()
        tmp_94 = None
        tmp_96 = torch.nn.functional.linear(tmp_95, in_7, None)
        tmp_95 = None
        tmp_97 = tmp_0 + tmp_96
        tmp_0 = tmp_96 = None
        tmp_98 = tmp_97.to(torch.float32)
        tmp_99 = tmp_98.pow(2)
        tmp_100 = tmp_99.mean(-1, keepdim=True)
        tmp_99 = None
        tmp_101 = tmp_100 + 1e-06
        tmp_100 = None
        tmp_102 = torch.rsqrt(tmp_101)
        tmp_101 = None
        tmp_103 = tmp_98 * tmp_102
        tmp_98 = tmp_102 = None
        tmp_104 = tmp_103.to(torch.float32)
        tmp_103 = None
        tmp_105 = in_8 * tmp_104
        tmp_104 = None
        tmp_106 = torch.nn.functional.linear(tmp_105, in_9, None)
        tmp_107 = torch.nn.functional.silu(tmp_106)
        tmp_106 = None
        tmp_108 = torch.nn.functional.linear(tmp_105, in_10, None)
        tmp_105 = None
        tmp_109 = tmp_107 * tmp_108
        tmp_107 = tmp_108 = None
        tmp_110 = torch.nn.functional.linear(tmp_109, in_11, None)
        tmp_109 = None
        tmp_111 = tmp_97 + tmp_110
        tmp_97 = tmp_110 = None
        tmp_112 = tmp_111.to(torch.float32)
        tmp_113 = tmp_112.pow(2)
        tmp_114 = tmp_113.mean(-1, keepdim=True)
        tmp_113 = None
        tmp_115 = tmp_114 + 1e-06
        tmp_114 = None
        tmp_116 = torch.rsqrt(tmp_115)
        tmp_115 = None
        tmp_117 = tmp_112 * tmp_116
        tmp_112 = tmp_116 = None
        tmp_118 = tmp_117.to(torch.float32)
        tmp_117 = None
        tmp_119 = in_12 * tmp_118
        tmp_118 = None
        tmp_120 = torch.nn.functional.linear(tmp_119, in_13, None)
        tmp_121 = tmp_120.view((1, 128, -1, 32))
        tmp_120 = None
        tmp_122 = tmp_121.transpose(1, 2)
        tmp_121 = None
        tmp_123 = torch.nn.functional.linear(tmp_119, in_14, None)
        tmp_124 = tmp_123.view((1, 128, -1, 32))
        tmp_123 = None
        tmp_125 = tmp_124.transpose(1, 2)
        tmp_124 = None
        tmp_126 = torch.nn.functional.linear(tmp_119, in_15, None)
        tmp_119 = None
        tmp_127 = tmp_126.view((1, 128, -1, 32))
        tmp_126 = None
        tmp_128 = tmp_127.transpose(1, 2)
        tmp_127 = None
        tmp_129 = tmp_42.unsqueeze(1)
        tmp_130 = tmp_43.unsqueeze(1)
        tmp_131 = tmp_122 * tmp_129
        tmp_132 = tmp_122[(..., slice(None, 16, None))]
        tmp_133 = tmp_122[(..., slice(16, None, None))]
        tmp_122 = None
        tmp_134 = -tmp_133
        tmp_133 = None
        tmp_135 = torch.cat((tmp_134, tmp_132), dim=-1)
        tmp_132 = tmp_134 = None
        tmp_136 = tmp_135 * tmp_130
        tmp_135 = None
        tmp_137 = tmp_131 + tmp_136
        tmp_131 = tmp_136 = None
        tmp_138 = tmp_125 * tmp_129
        tmp_129 = None
        tmp_139 = tmp_125[(..., slice(None, 16, None))]
        tmp_140 = tmp_125[(..., slice(16, None, None))]
        tmp_125 = None
        tmp_141 = -tmp_140
        tmp_140 = None
        tmp_142 = torch.cat((tmp_141, tmp_139), dim=-1)
        tmp_139 = tmp_141 = None
        tmp_143 = tmp_142 * tmp_130
        tmp_130 = tmp_142 = None
        tmp_144 = tmp_138 + tmp_143
        tmp_138 = tmp_143 = None
        tmp_145 = tmp_144[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_144 = None
        tmp_146 = tmp_145.expand(1, 8, 4, 128, 32)
        tmp_145 = None
        tmp_147 = tmp_146.reshape(1, 32, 128, 32)
        tmp_146 = None
        tmp_148 = tmp_128[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_128 = None
        tmp_149 = tmp_148.expand(1, 8, 4, 128, 32)
        tmp_148 = None
        tmp_150 = tmp_149.reshape(1, 32, 128, 32)
        tmp_149 = None
        tmp_151 = tmp_147.transpose(2, 3)
        tmp_147 = None
        tmp_152 = torch.matmul(tmp_137, tmp_151)
        tmp_137 = tmp_151 = None
        tmp_153 = tmp_152 * 0.1767766952966369
        tmp_152 = None
        tmp_154 = tmp_153 + tmp_32
        tmp_153 = None
        tmp_155 = torch.nn.functional.softmax(tmp_154, dim=-1, dtype=torch.float32)
        tmp_154 = None
        tmp_156 = tmp_155.to(torch.float32)
        tmp_155 = None
        tmp_157 = torch.nn.functional.dropout(tmp_156, p=0.0, training=False)
        tmp_156 = None
        tmp_158 = torch.matmul(tmp_157, tmp_150)
        tmp_150 = tmp_157 = None
        tmp_159 = tmp_158.transpose(1, 2)
        tmp_158 = None
        tmp_160 = tmp_159.contiguous()
        tmp_159 = None
        tmp_161 = tmp_160.reshape(1, 128, -1)
        tmp_160 = None
        tmp_162 = tmp_161.contiguous()
        tmp_161 = None
        tmp_163 = torch.nn.functional.linear(tmp_162, in_16, None)
        tmp_162 = None
        tmp_164 = tmp_111 + tmp_163
        tmp_111 = tmp_163 = None
        tmp_165 = tmp_164.to(torch.float32)
        tmp_166 = tmp_165.pow(2)
        tmp_167 = tmp_166.mean(-1, keepdim=True)
        tmp_166 = None
        tmp_168 = tmp_167 + 1e-06
        tmp_167 = None
        tmp_169 = torch.rsqrt(tmp_168)
        tmp_168 = None
        tmp_170 = tmp_165 * tmp_169
        tmp_165 = tmp_169 = None
        tmp_171 = tmp_170.to(torch.float32)
        tmp_170 = None
        tmp_172 = in_17 * tmp_171
        tmp_171 = None
        tmp_173 = torch.nn.functional.linear(tmp_172, in_18, None)
        tmp_174 = torch.nn.functional.silu(tmp_173)
        tmp_173 = None
        tmp_175 = torch.nn.functional.linear(tmp_172, in_19, None)
        tmp_172 = None
        tmp_176 = tmp_174 * tmp_175
        tmp_174 = tmp_175 = None
        tmp_177 = torch.nn.functional.linear(tmp_176, in_20, None)
        tmp_176 = None
        tmp_178 = tmp_164 + tmp_177
        tmp_164 = tmp_177 = None
        tmp_179 = tmp_178.to(torch.float32)
        tmp_180 = tmp_179.pow(2)
        tmp_181 = tmp_180.mean(-1, keepdim=True)
        tmp_180 = None
        tmp_182 = tmp_181 + 1e-06
        tmp_181 = None
        tmp_183 = torch.rsqrt(tmp_182)
        tmp_182 = None
        tmp_184 = tmp_179 * tmp_183
        tmp_179 = tmp_183 = None
        tmp_185 = tmp_184.to(torch.float32)
        tmp_184 = None
        tmp_186 = in_21 * tmp_185
        tmp_185 = None
        tmp_187 = torch.nn.functional.linear(tmp_186, in_22, None)
        tmp_188 = tmp_187.view((1, 128, -1, 32))
        tmp_187 = None
        tmp_189 = tmp_188.transpose(1, 2)
        tmp_188 = None
        tmp_190 = torch.nn.functional.linear(tmp_186, in_23, None)
        tmp_191 = tmp_190.view((1, 128, -1, 32))
        tmp_190 = None
        tmp_192 = tmp_191.transpose(1, 2)
        tmp_191 = None
        tmp_193 = torch.nn.functional.linear(tmp_186, in_24, None)
        tmp_186 = None
        tmp_194 = tmp_193.view((1, 128, -1, 32))
        tmp_193 = None
        tmp_195 = tmp_194.transpose(1, 2)
        tmp_194 = None
        tmp_196 = tmp_42.unsqueeze(1)
        tmp_197 = tmp_43.unsqueeze(1)
        tmp_198 = tmp_189 * tmp_196
        tmp_199 = tmp_189[(..., slice(None, 16, None))]
        tmp_200 = tmp_189[(..., slice(16, None, None))]
        tmp_189 = None
        tmp_201 = -tmp_200
        tmp_200 = None
        tmp_202 = torch.cat((tmp_201, tmp_199), dim=-1)
        tmp_199 = tmp_201 = None
        tmp_203 = tmp_202 * tmp_197
        tmp_202 = None
        tmp_204 = tmp_198 + tmp_203
        tmp_198 = tmp_203 = None
        tmp_205 = tmp_192 * tmp_196
        tmp_196 = None
        tmp_206 = tmp_192[(..., slice(None, 16, None))]
        tmp_207 = tmp_192[(..., slice(16, None, None))]
        tmp_192 = None
        tmp_208 = -tmp_207
        tmp_207 = None
        tmp_209 = torch.cat((tmp_208, tmp_206), dim=-1)
        tmp_206 = tmp_208 = None
        tmp_210 = tmp_209 * tmp_197
        tmp_197 = tmp_209 = None
        tmp_211 = tmp_205 + tmp_210
        tmp_205 = tmp_210 = None
        tmp_212 = tmp_211[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_211 = None
        tmp_213 = tmp_212.expand(1, 8, 4, 128, 32)
        tmp_212 = None
        tmp_214 = tmp_213.reshape(1, 32, 128, 32)
        tmp_213 = None
        tmp_215 = tmp_195[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_195 = None
        tmp_216 = tmp_215.expand(1, 8, 4, 128, 32)
        tmp_215 = None
        tmp_217 = tmp_216.reshape(1, 32, 128, 32)
        tmp_216 = None
        tmp_218 = tmp_214.transpose(2, 3)
        tmp_214 = None
        tmp_219 = torch.matmul(tmp_204, tmp_218)
        tmp_204 = tmp_218 = None
        tmp_220 = tmp_219 * 0.1767766952966369
        tmp_219 = None
        tmp_221 = tmp_220 + tmp_32
        tmp_220 = None
        tmp_222 = torch.nn.functional.softmax(tmp_221, dim=-1, dtype=torch.float32)
        tmp_221 = None
        tmp_223 = tmp_222.to(torch.float32)
        tmp_222 = None
        tmp_224 = torch.nn.functional.dropout(tmp_223, p=0.0, training=False)
        tmp_223 = None
        tmp_225 = torch.matmul(tmp_224, tmp_217)
        tmp_217 = tmp_224 = None
        tmp_226 = tmp_225.transpose(1, 2)
        tmp_225 = None
        tmp_227 = tmp_226.contiguous()
        tmp_226 = None
        tmp_228 = tmp_227.reshape(1, 128, -1)
        tmp_227 = None
        tmp_229 = tmp_228.contiguous()
        tmp_228 = None
        tmp_230 = torch.nn.functional.linear(tmp_229, in_25, None)
        tmp_229 = None
        tmp_231 = tmp_178 + tmp_230
        tmp_178 = tmp_230 = None
        tmp_232 = tmp_231.to(torch.float32)
        tmp_233 = tmp_232.pow(2)
        tmp_234 = tmp_233.mean(-1, keepdim=True)
        tmp_233 = None
        tmp_235 = tmp_234 + 1e-06
        tmp_234 = None
        tmp_236 = torch.rsqrt(tmp_235)
        tmp_235 = None
        tmp_237 = tmp_232 * tmp_236
        tmp_232 = tmp_236 = None
        tmp_238 = tmp_237.to(torch.float32)
        tmp_237 = None
        tmp_239 = in_26 * tmp_238
        tmp_238 = None
        tmp_240 = torch.nn.functional.linear(tmp_239, in_27, None)
        tmp_241 = torch.nn.functional.silu(tmp_240)
        tmp_240 = None
        tmp_242 = torch.nn.functional.linear(tmp_239, in_28, None)
        tmp_239 = None
        tmp_243 = tmp_241 * tmp_242
        tmp_241 = tmp_242 = None
        tmp_244 = torch.nn.functional.linear(tmp_243, in_29, None)
        tmp_243 = None
        tmp_245 = tmp_231 + tmp_244
        tmp_231 = tmp_244 = None
        tmp_246 = tmp_245.to(torch.float32)
        tmp_247 = tmp_246.pow(2)
        tmp_248 = tmp_247.mean(-1, keepdim=True)
        tmp_247 = None
        tmp_249 = tmp_248 + 1e-06
        tmp_248 = None
        tmp_250 = torch.rsqrt(tmp_249)
        tmp_249 = None
        tmp_251 = tmp_246 * tmp_250
        tmp_246 = tmp_250 = None
        tmp_252 = tmp_251.to(torch.float32)
        tmp_251 = None
        tmp_253 = in_30 * tmp_252
        tmp_252 = None
        tmp_254 = torch.nn.functional.linear(tmp_253, in_31, None)
        tmp_255 = tmp_254.view((1, 128, -1, 32))
        tmp_254 = None
        tmp_256 = tmp_255.transpose(1, 2)
        tmp_255 = None
        tmp_257 = torch.nn.functional.linear(tmp_253, in_32, None)
        tmp_258 = tmp_257.view((1, 128, -1, 32))
        tmp_257 = None
        tmp_259 = tmp_258.transpose(1, 2)
        tmp_258 = None
        tmp_260 = torch.nn.functional.linear(tmp_253, in_33, None)
        tmp_253 = None
        tmp_261 = tmp_260.view((1, 128, -1, 32))
        tmp_260 = None
        tmp_262 = tmp_261.transpose(1, 2)
        tmp_261 = None
        tmp_263 = tmp_42.unsqueeze(1)
        tmp_42 = None
        tmp_264 = tmp_43.unsqueeze(1)
        tmp_43 = None
        tmp_265 = tmp_256 * tmp_263
        tmp_266 = tmp_256[(..., slice(None, 16, None))]
        tmp_267 = tmp_256[(..., slice(16, None, None))]
        tmp_256 = None
        tmp_268 = -tmp_267
        tmp_267 = None
        tmp_269 = torch.cat((tmp_268, tmp_266), dim=-1)
        tmp_266 = tmp_268 = None
        tmp_270 = tmp_269 * tmp_264
        tmp_269 = None
        tmp_271 = tmp_265 + tmp_270
        tmp_265 = tmp_270 = None
        tmp_272 = tmp_259 * tmp_263
        tmp_263 = None
        tmp_273 = tmp_259[(..., slice(None, 16, None))]
        tmp_274 = tmp_259[(..., slice(16, None, None))]
        tmp_259 = None
        tmp_275 = -tmp_274
        tmp_274 = None
        tmp_276 = torch.cat((tmp_275, tmp_273), dim=-1)
        tmp_273 = tmp_275 = None
        tmp_277 = tmp_276 * tmp_264
        tmp_264 = tmp_276 = None
        tmp_278 = tmp_272 + tmp_277
        tmp_272 = tmp_277 = None
        tmp_279 = tmp_278[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_278 = None
        tmp_280 = tmp_279.expand(1, 8, 4, 128, 32)
        tmp_279 = None
        tmp_281 = tmp_280.reshape(1, 32, 128, 32)
        tmp_280 = None
        tmp_282 = tmp_262[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_262 = None
        tmp_283 = tmp_282.expand(1, 8, 4, 128, 32)
        tmp_282 = None
        tmp_284 = tmp_283.reshape(1, 32, 128, 32)
        tmp_283 = None
        tmp_285 = tmp_281.transpose(2, 3)
        tmp_281 = None
        tmp_286 = torch.matmul(tmp_271, tmp_285)
        tmp_271 = tmp_285 = None
        tmp_287 = tmp_286 * 0.1767766952966369
        tmp_286 = None
        tmp_288 = tmp_287 + tmp_32
        tmp_32 = tmp_287 = None
        tmp_289 = torch.nn.functional.softmax(tmp_288, dim=-1, dtype=torch.float32)
        tmp_288 = None
        tmp_290 = tmp_289.to(torch.float32)
        tmp_289 = None
        tmp_291 = torch.nn.functional.dropout(tmp_290, p=0.0, training=False)
        tmp_290 = None
        tmp_292 = torch.matmul(tmp_291, tmp_284)
        tmp_284 = tmp_291 = None
        tmp_293 = tmp_292.transpose(1, 2)
        tmp_292 = None
        tmp_294 = tmp_293.contiguous()
        tmp_293 = None
        tmp_295 = tmp_294.reshape(1, 128, -1)
        tmp_294 = None
        tmp_296 = tmp_295.contiguous()
        tmp_295 = None
        tmp_297 = torch.nn.functional.linear(tmp_296, in_34, None)
        tmp_296 = None
        tmp_298 = tmp_245 + tmp_297
        tmp_245 = tmp_297 = None
        tmp_299 = tmp_298.to(torch.float32)
        tmp_300 = tmp_299.pow(2)
        tmp_301 = tmp_300.mean(-1, keepdim=True)
        tmp_300 = None
        tmp_302 = tmp_301 + 1e-06
        tmp_301 = None
        tmp_303 = torch.rsqrt(tmp_302)
        tmp_302 = None
        tmp_304 = tmp_299 * tmp_303
        tmp_299 = tmp_303 = None
        tmp_305 = tmp_304.to(torch.float32)
        tmp_304 = None
        tmp_306 = in_35 * tmp_305
        tmp_305 = None
        tmp_307 = torch.nn.functional.linear(tmp_306, in_36, None)
        tmp_308 = torch.nn.functional.silu(tmp_307)
        tmp_307 = None
        tmp_309 = torch.nn.functional.linear(tmp_306, in_37, None)
        tmp_306 = None
        tmp_310 = tmp_308 * tmp_309
        tmp_308 = tmp_309 = None
        tmp_311 = torch.nn.functional.linear(tmp_310, in_38, None)
        tmp_310 = None
        tmp_312 = tmp_298 + tmp_311
        tmp_298 = tmp_311 = None
        tmp_313 = tmp_312.to(torch.float32)
        tmp_312 = None
        tmp_314 = tmp_313.pow(2)
        tmp_315 = tmp_314.mean(-1, keepdim=True)
        tmp_314 = None
        tmp_316 = tmp_315 + 1e-06
        tmp_315 = None
        tmp_317 = torch.rsqrt(tmp_316)
        tmp_316 = None
        tmp_318 = tmp_313 * tmp_317
        tmp_313 = tmp_317 = None
        tmp_319 = tmp_318.to(torch.float32)
        tmp_318 = None
        tmp_320 = in_39 * tmp_319
        tmp_319 = None
        return (tmp_320,)