import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1):
        tmp_0 = in_1.permute(0, 2, 1)
        tmp_1 = tmp_0.reshape((-1, 128))
        tmp_0 = None
        tmp_2 = in_0.t()
        tmp_3 = tmp_1.pow(2)
        tmp_4 = tmp_3.sum(1, keepdim=True)
        tmp_3 = None
        tmp_5 = (2) * tmp_1
        tmp_1 = None
        tmp_6 = tmp_5 @ tmp_2
        tmp_5 = None
        tmp_7 = tmp_4 - tmp_6
        tmp_4 = tmp_6 = None
        tmp_8 = tmp_2.pow(2)
        tmp_2 = None
        tmp_9 = tmp_8.sum(0, keepdim=True)
        tmp_8 = None
        tmp_10 = tmp_7 + tmp_9
        tmp_7 = tmp_9 = None
        tmp_11 = -tmp_10
        tmp_10 = None
        tmp_12 = tmp_11.max(dim=-1)
        tmp_11 = None
        tmp_13 = tmp_12[1]
        tmp_12 = None
        tmp_14 = tmp_13.view(16, 4096)
        tmp_13 = None
        return (tmp_14,)