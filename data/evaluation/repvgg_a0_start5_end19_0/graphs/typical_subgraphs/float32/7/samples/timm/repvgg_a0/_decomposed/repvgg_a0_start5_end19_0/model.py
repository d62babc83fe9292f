import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24):
        tmp_0 = torch.nn.functional.relu(in_24, inplace=True)
        tmp_1 = torch.conv2d(tmp_0, in_0, None, (2, 2), (0, 0), (1, 1), 1)
        tmp_2 = torch.nn.functional.batch_norm(tmp_1, in_1, in_2, in_3, in_4, False, 0.1, 1e-05)
        tmp_1 = None
        tmp_3 = torch.conv2d(tmp_0, in_5, None, (2, 2), (1, 1), (1, 1), 1)
        tmp_0 = None
        tmp_4 = torch.nn.functional.batch_norm(tmp_3, in_6, in_7, in_8, in_9, False, 0.1, 1e-05)
        tmp_3 = None
        tmp_5 = tmp_2 + tmp_4
        tmp_2 = tmp_4 = None
        tmp_6 = torch.nn.functional.relu(tmp_5, inplace=True)
        tmp_5 = None
        tmp_7 = torch.nn.functional.batch_norm(tmp_6, in_10, in_11, in_12, in_13, False, 0.1, 1e-05)
        tmp_8 = torch.conv2d(tmp_6, in_14, None, (1, 1), (0, 0), (1, 1), 1)
        tmp_9 = torch.nn.functional.batch_norm(tmp_8, in_15, in_16, in_17, in_18, False, 0.1, 1e-05)
        tmp_8 = None
        tmp_10 = torch.conv2d(tmp_6, in_19, None, (1, 1), (1, 1), (1, 1), 1)
        tmp_6 = None
        tmp_11 = torch.nn.functional.batch_norm(tmp_10, in_20, in_21, in_22, in_23, False, 0.1, 1e-05)
        tmp_10 = None
        tmp_12 = tmp_9 + tmp_11
        tmp_9 = tmp_11 = None
        tmp_12 += tmp_7
        tmp_13 = tmp_12
        tmp_7 = tmp_12 = None
        return (tmp_13,)