import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10):
        tmp_0 = torch.conv2d(in_10, in_0, None, (1, 1), (0, 0), (1, 1), 1)
        tmp_1 = torch.nn.functional.batch_norm(tmp_0, in_1, in_2, in_3, in_4, False, 0.1, 1e-05)
        tmp_0 = None
        tmp_2 = in_9 + tmp_1
        tmp_1 = None
        tmp_3 = torch.nn.functional.adaptive_avg_pool2d(tmp_2, 1)
        tmp_2 = None
        tmp_4 = tmp_3.flatten(1, -1)
        tmp_3 = None
        tmp_5 = torch.nn.functional.batch_norm(tmp_4, in_5, in_6, in_7, in_8, False, 0.1, 1e-05)
        tmp_4 = None
        tmp_6 = torch.nn.functional.dropout(tmp_5, 0.0, False, False)
        tmp_5 = None
        return (tmp_6,)