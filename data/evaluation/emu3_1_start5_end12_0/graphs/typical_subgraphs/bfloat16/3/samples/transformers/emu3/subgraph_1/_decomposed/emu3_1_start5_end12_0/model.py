import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6):
        tmp_0 = torch.nn.functional.group_norm(in_6, 32, in_0, in_1, 1e-06)
        tmp_1 = torch.sigmoid(tmp_0)
        tmp_0 *= tmp_1
        tmp_2 = tmp_0
        tmp_0 = tmp_1 = None
        tmp_3 = torch.conv2d(tmp_2, in_2, in_3, (1, 1), (1, 1), (1, 1), 1)
        tmp_2 = None
        tmp_4 = torch.nn.functional.group_norm(tmp_3, 32, in_4, in_5, 1e-06)
        tmp_3 = None
        tmp_5 = torch.sigmoid(tmp_4)
        tmp_4 *= tmp_5
        tmp_6 = tmp_4
        tmp_4 = tmp_5 = None
        return (tmp_6,)