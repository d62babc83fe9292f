import torch
from torch import device
from torch import inf

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = torch.nn.functional.linear(in_2, in_0, None)
        tmp_1 = tmp_0.float()
        tmp_0 = None
        tmp_2 = tmp_1 * 0.125
        tmp_1 = None
        tmp_3 = tmp_2.unsqueeze(-1)
        tmp_2 = None
        tmp_4 = in_3 * tmp_3
        tmp_3 = None
        tmp_5 = tmp_4.sum(dim=2)
        tmp_4 = None
        tmp_6 = in_1 + 1
        tmp_7 = tmp_6 // 4
        tmp_6 = None
        tmp_8 = torch.arange(4, device=device(type='cpu'))
        tmp_9 = tmp_8.view(1, 1, -1)
        tmp_8 = None
        tmp_10 = tmp_7.unsqueeze(-1)
        tmp_11 = tmp_9 >= tmp_10
        tmp_9 = tmp_10 = None
        tmp_12 = tmp_5.masked_fill(tmp_11, -inf)
        tmp_5 = tmp_11 = None
        return (tmp_7, tmp_12)