import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = torch.ones(16, 1, 1, dtype=torch.int32, device=device(type='cpu'))
        tmp_1 = -tmp_0
        tmp_0 = None
        tmp_2 = in_0 + 0.5
        tmp_3 = torch._C._nn.pad(tmp_2, (0, 0, 0, 1), 'constant', 0)
        tmp_2 = None
        tmp_4 = torch._C._nn.pad(tmp_1, (0, 1), 'constant', -1)
        tmp_1 = None
        tmp_5 = tmp_3.clone()
        tmp_3 = None
        tmp_6 = tmp_5[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 0)]
        tmp_7 = tmp_6 / 1024
        tmp_6 = None
        tmp_5[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 0)] = tmp_7
        tmp_8 = tmp_5
        tmp_7 = tmp_8 = None
        tmp_9 = tmp_5[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 1)]
        tmp_10 = tmp_9 / 1024
        tmp_9 = None
        tmp_5[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 1)] = tmp_10
        tmp_11 = tmp_5
        tmp_10 = tmp_11 = None
        tmp_12 = (2) * tmp_5
        tmp_5 = None
        tmp_13 = tmp_12 - 1
        tmp_12 = None
        tmp_14 = tmp_13.to(torch.float32)
        tmp_13 = None
        return (tmp_4, tmp_14)