import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1):
        tmp_0 = in_1.to(dtype=torch.float32, device=device(type='cpu'))
        tmp_1 = tmp_0 ** 2
        tmp_2 = torch.mean(tmp_1, dim=-1, keepdim=True)
        tmp_1 = None
        tmp_3 = tmp_2.clamp(min=1e-05)
        tmp_2 = None
        tmp_4 = torch.sqrt(tmp_3)
        tmp_3 = None
        tmp_5 = tmp_0 * in_0
        tmp_0 = None
        tmp_6 = tmp_5 / tmp_4
        tmp_4 = tmp_5 = None
        return (tmp_6,)