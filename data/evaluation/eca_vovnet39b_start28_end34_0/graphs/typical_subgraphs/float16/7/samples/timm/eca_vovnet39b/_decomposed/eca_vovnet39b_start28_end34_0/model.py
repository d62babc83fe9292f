import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1):
        tmp_0 = in_1.mean((2, 3))
        tmp_1 = tmp_0.view(16, 1, -1)
        tmp_0 = None
        tmp_2 = torch.conv1d(tmp_1, in_0, None, (1,), (2,), (1,), 1)
        tmp_1 = None
        tmp_3 = tmp_2.sigmoid()
        tmp_2 = None
        tmp_4 = tmp_3.view(16, -1, 1, 1)
        tmp_3 = None
        tmp_5 = tmp_4.expand_as(in_1)
        tmp_4 = None
        return (tmp_5,)