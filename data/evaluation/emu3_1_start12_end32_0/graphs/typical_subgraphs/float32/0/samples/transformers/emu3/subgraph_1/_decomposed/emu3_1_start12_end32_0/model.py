import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19):
        tmp_0 = torch.conv2d(in_19, in_0, in_1, (1, 1), (1, 1), (1, 1), 1)
        tmp_1 = in_18 + tmp_0
        tmp_0 = None
        tmp_2 = torch.nn.functional.group_norm(tmp_1, 32, in_2, in_3, 1e-06)
        tmp_3 = torch.sigmoid(tmp_2)
        tmp_2 *= tmp_3
        tmp_4 = tmp_2
        tmp_2 = tmp_3 = None
        tmp_5 = torch.conv2d(tmp_4, in_4, in_5, (1, 1), (1, 1), (1, 1), 1)
        tmp_4 = None
        tmp_6 = torch.nn.functional.group_norm(tmp_5, 32, in_6, in_7, 1e-06)
        tmp_5 = None
        tmp_7 = torch.sigmoid(tmp_6)
        tmp_6 *= tmp_7
        tmp_8 = tmp_6
        tmp_6 = tmp_7 = None
        tmp_9 = torch.conv2d(tmp_8, in_8, in_9, (1, 1), (1, 1), (1, 1), 1)
        tmp_8 = None
        tmp_10 = tmp_1 + tmp_9
        tmp_1 = tmp_9 = None
        tmp_11 = torch._C._nn.pad(tmp_10, (0, 1, 0, 1), 'constant', 0)
        tmp_10 = None
        tmp_12 = torch.conv2d(tmp_11, in_10, in_11, (2, 2), (0, 0), (1, 1), 1)
        tmp_11 = None
        tmp_13 = torch.nn.functional.group_norm(tmp_12, 32, in_12, in_13, 1e-06)
        tmp_14 = torch.sigmoid(tmp_13)
        tmp_13 *= tmp_14
        tmp_15 = tmp_13
        tmp_13 = tmp_14 = None
        tmp_16 = torch.conv2d(tmp_15, in_14, in_15, (1, 1), (1, 1), (1, 1), 1)
        tmp_15 = None
        tmp_17 = torch.nn.functional.group_norm(tmp_16, 32, in_16, in_17, 1e-06)
        tmp_16 = None
        tmp_18 = torch.sigmoid(tmp_17)
        tmp_17 *= tmp_18
        tmp_19 = tmp_17
        tmp_17 = tmp_18 = None
        return (tmp_12, tmp_19)