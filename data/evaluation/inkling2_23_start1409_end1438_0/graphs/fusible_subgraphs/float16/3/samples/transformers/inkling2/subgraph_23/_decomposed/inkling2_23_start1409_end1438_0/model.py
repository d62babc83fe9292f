import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5):
        tmp_0 = torch.nn.functional.linear(in_3, in_0, None)
        tmp_1 = torch.arange(16, device=device(type='cpu'))
        tmp_2 = tmp_1 + 0
        tmp_1 = None
        tmp_3 = torch.arange(16, device=device(type='cpu'))
        tmp_4 = tmp_3 + 0
        tmp_3 = None
        tmp_5 = in_2 + 1
        tmp_6 = tmp_5.float()
        tmp_5 = None
        tmp_7 = tmp_6 / 128000
        tmp_6 = None
        tmp_8 = tmp_7.clamp(min=1.0)
        tmp_7 = None
        tmp_9 = torch.log(tmp_8)
        tmp_8 = None
        tmp_10 = (0.1) * tmp_9
        tmp_9 = None
        tmp_11 = (1.0) + tmp_10
        tmp_10 = None
        tmp_12 = tmp_11[(..., None, None)]
        tmp_11 = None
        tmp_13 = in_4.view((16, 16, -1, 128))
        tmp_14 = tmp_13.float()
        tmp_13 = None
        tmp_15 = in_1.float()
        tmp_16 = tmp_14 * tmp_15
        tmp_14 = tmp_15 = None
        tmp_17 = torch.linalg.vector_norm(tmp_16, dim=-1, keepdim=True)
        tmp_18 = tmp_17 + 1e-06
        tmp_17 = None
        tmp_19 = (22.627416997969522) / tmp_18
        tmp_18 = None
        tmp_20 = tmp_19.clamp(max=1.0)
        tmp_19 = None
        tmp_21 = tmp_16 * tmp_20
        tmp_16 = tmp_20 = None
        tmp_22 = tmp_21.to(torch.float16)
        tmp_21 = None
        tmp_23 = tmp_22.float()
        tmp_22 = None
        tmp_24 = tmp_23 * tmp_12
        tmp_23 = None
        tmp_25 = tmp_24.to(torch.float16)
        tmp_24 = None
        tmp_26 = tmp_25.transpose(1, 2)
        tmp_25 = None
        tmp_27 = in_5.view((16, 16, -1, 128))
        tmp_28 = tmp_27.float()
        tmp_27 = None
        return (tmp_0, tmp_2, tmp_4, tmp_12, tmp_26, tmp_28)