import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4):
        tmp_0 = in_0[(slice(None, None, None), 4)]
        tmp_1 = tmp_0.view(-1, 1, 1)
        tmp_0 = None
        tmp_2 = tmp_1.repeat(2, 256, 32)
        tmp_1 = None
        tmp_3 = in_3 + tmp_2
        tmp_2 = None
        tmp_4 = torch.gather(in_2, dim=1, index=tmp_3)
        tmp_3 = None
        tmp_5 = in_1[(slice(None, None, None), 4)]
        tmp_6 = tmp_5.view(-1, 1, 1)
        tmp_5 = None
        tmp_7 = tmp_6.repeat(2, 256, 32)
        tmp_6 = None
        tmp_8 = tmp_4 * tmp_7
        tmp_4 = tmp_7 = None
        in_4 += tmp_8
        tmp_9 = in_4
        tmp_8 = None
        return (tmp_9,)