import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5):
        tmp_0 = torch.nn.functional.linear(in_5, in_0, None)
        tmp_1 = tmp_0.to(dtype=torch.float32, device=device(type='cpu'))
        tmp_0 = None
        tmp_2 = tmp_1 ** 2
        tmp_3 = torch.mean(tmp_2, dim=-1, keepdim=True)
        tmp_2 = None
        tmp_4 = tmp_3.clamp(min=1e-05)
        tmp_3 = None
        tmp_5 = torch.sqrt(tmp_4)
        tmp_4 = None
        tmp_6 = tmp_1 * in_1
        tmp_1 = None
        tmp_7 = tmp_6 / tmp_5
        tmp_5 = tmp_6 = None
        tmp_8 = torch.stack([in_2, in_3, in_4, tmp_7])
        tmp_7 = None
        return (tmp_8,)