import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8):
        tmp_0 = torch.conv2d(in_5, in_0, in_1, (1, 1), (0, 0), (1, 1), 1)
        tmp_1 = in_8.flatten(2)
        tmp_2 = tmp_1.permute(2, 0, 1)
        tmp_1 = None
        tmp_3 = tmp_0.flatten(2)
        tmp_0 = None
        tmp_4 = tmp_3.permute(2, 0, 1)
        tmp_3 = None
        tmp_5 = in_3.flatten(2)
        tmp_6 = tmp_5.permute(2, 0, 1)
        tmp_5 = None
        tmp_7 = tmp_6 + in_2
        tmp_6 = None
        tmp_8 = tmp_2.permute(1, 2, 0)
        tmp_2 = None
        tmp_9 = tmp_8.view(256, -1, 16, 16)
        tmp_8 = None
        tmp_10 = tmp_4.permute(1, 2, 0)
        tmp_4 = None
        tmp_11 = tmp_10.view(256, -1, 8, 8)
        tmp_10 = None
        tmp_12 = tmp_7.permute(1, 2, 0)
        tmp_7 = None
        tmp_13 = tmp_12.view(256, -1, 4, 4)
        tmp_12 = None
        return (tmp_9, tmp_11, tmp_13)