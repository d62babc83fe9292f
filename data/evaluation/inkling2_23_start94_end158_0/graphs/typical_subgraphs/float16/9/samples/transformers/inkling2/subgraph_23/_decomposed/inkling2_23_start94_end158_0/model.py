import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9):
        tmp_0 = in_9 / 2.23606797749979
        tmp_1 = tmp_0.to(dtype=torch.float32)
        tmp_0 = None
        tmp_2 = torch.nn.functional.linear(in_6, in_0, None)
        tmp_3 = torch.nn.functional.linear(in_6, in_1, None)
        tmp_4 = torch.nn.functional.linear(in_6, in_2, None)
        tmp_5 = torch.arange(51, device=device(type='cpu'))
        tmp_6 = tmp_5 + 0
        tmp_5 = None
        tmp_7 = torch.arange(51, device=device(type='cpu'))
        tmp_8 = tmp_7 + 0
        tmp_7 = None
        tmp_9 = in_7.view((2, 51, -1, 128))
        tmp_10 = tmp_9.float()
        tmp_9 = None
        tmp_11 = in_3.float()
        tmp_12 = tmp_10 * tmp_11
        tmp_10 = tmp_11 = None
        tmp_13 = torch.linalg.vector_norm(tmp_12, dim=-1, keepdim=True)
        tmp_14 = tmp_13 + 1e-06
        tmp_13 = None
        tmp_15 = (22.627416997969522) / tmp_14
        tmp_14 = None
        tmp_16 = tmp_15.clamp(max=1.0)
        tmp_15 = None
        tmp_17 = tmp_12 * tmp_16
        tmp_12 = tmp_16 = None
        tmp_18 = tmp_17.to(torch.float16)
        tmp_17 = None
        tmp_19 = tmp_18.transpose(1, 2)
        tmp_18 = None
        tmp_20 = in_8.view((2, 51, -1, 128))
        tmp_21 = tmp_20.float()
        tmp_20 = None
        tmp_22 = torch.linalg.vector_norm(tmp_21, dim=-1, keepdim=True)
        tmp_23 = tmp_22 + 1e-06
        tmp_22 = None
        tmp_24 = (22.627416997969522) / tmp_23
        tmp_23 = None
        tmp_25 = tmp_24.clamp(max=1.0)
        tmp_24 = None
        tmp_26 = tmp_21 * tmp_25
        tmp_21 = tmp_25 = None
        tmp_27 = tmp_26.to(torch.float16)
        tmp_26 = None
        tmp_28 = tmp_27.transpose(1, 2)
        tmp_27 = None
        tmp_29 = tmp_1.view((2, 51, -1, 128))
        tmp_1 = None
        tmp_30 = tmp_29.float()
        tmp_29 = None
        tmp_31 = tmp_30.float()
        tmp_32 = tmp_31.square()
        tmp_31 = None
        tmp_33 = tmp_32.mean(-1, keepdim=True)
        tmp_32 = None
        tmp_34 = tmp_33 + 1e-06
        tmp_33 = None
        tmp_35 = torch.rsqrt(tmp_34)
        tmp_34 = None
        tmp_36 = tmp_35.to(torch.float16)
        tmp_35 = None
        tmp_37 = tmp_30 * tmp_36
        tmp_30 = tmp_36 = None
        tmp_38 = tmp_37.to(torch.float16)
        tmp_37 = None
        tmp_39 = tmp_38.transpose(1, 2)
        tmp_38 = None
        tmp_40 = tmp_2.view(2, 51, 4, -1)
        tmp_2 = None
        tmp_41 = tmp_40.float()
        tmp_40 = None
        tmp_42 = in_4.float()
        tmp_43 = tmp_41 * tmp_42
        tmp_41 = tmp_42 = None
        tmp_44 = torch.linalg.vector_norm(tmp_43, dim=-1, keepdim=True)
        tmp_45 = tmp_44 + 1e-06
        tmp_44 = None
        tmp_46 = (8.0) / tmp_45
        tmp_45 = None
        tmp_47 = tmp_46.clamp(max=1.0)
        tmp_46 = None
        tmp_48 = tmp_43 * tmp_47
        tmp_43 = tmp_47 = None
        tmp_49 = tmp_48.to(torch.float16)
        tmp_48 = None
        tmp_50 = tmp_49 @ in_5
        tmp_49 = None
        tmp_51 = tmp_50.transpose(1, 2)
        tmp_50 = None
        tmp_52 = tmp_8[(slice(None, None, None), None)]
        tmp_8 = None
        tmp_53 = tmp_6[(None, slice(None, None, None))]
        tmp_6 = None
        tmp_54 = tmp_52 - tmp_53
        tmp_52 = tmp_53 = None
        tmp_55 = tmp_54[(None, None, slice(None, None, None), slice(None, None, None))]
        tmp_54 = None
        tmp_56 = tmp_55.clamp(0, 1023)
        tmp_57 = tmp_56.expand(2, 4, -1, -1)
        tmp_56 = None
        tmp_58 = tmp_51.gather(-1, tmp_57)
        tmp_51 = tmp_57 = None
        tmp_59 = tmp_55 < 0
        tmp_60 = tmp_55 >= 1024
        tmp_55 = None
        tmp_61 = tmp_59 | tmp_60
        tmp_59 = tmp_60 = None
        tmp_62 = tmp_58.masked_fill(tmp_61, 0.0)
        tmp_58 = tmp_61 = None
        tmp_63 = tmp_4.transpose(1, 2)
        tmp_4 = None
        return (tmp_3, tmp_19, tmp_28, tmp_39, tmp_62, tmp_63)