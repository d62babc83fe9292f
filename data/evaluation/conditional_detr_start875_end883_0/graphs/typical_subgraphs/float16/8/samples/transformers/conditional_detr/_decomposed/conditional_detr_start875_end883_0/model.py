import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = torch.arange(128, dtype=torch.float32, device=device(type='cpu'))
        tmp_1 = torch.div(tmp_0, 2, rounding_mode='floor')
        tmp_0 = None
        tmp_2 = (2) * tmp_1
        tmp_1 = None
        tmp_3 = tmp_2 / 128
        tmp_2 = None
        tmp_4 = (10000) ** tmp_3
        tmp_3 = None
        tmp_5 = in_0.unbind(-1)
        tmp_6 = tmp_5[0]
        tmp_7 = tmp_5[1]
        tmp_5 = None
        return (tmp_4, tmp_6, tmp_7)