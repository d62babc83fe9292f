import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_2.float()
        tmp_1 = tmp_0.pow(2)
        tmp_2 = tmp_1.mean(-1, keepdim=True)
        tmp_1 = None
        tmp_3 = tmp_2 + 1e-06
        tmp_2 = None
        tmp_4 = torch.rsqrt(tmp_3)
        tmp_3 = None
        tmp_5 = tmp_0 * tmp_4
        tmp_0 = tmp_4 = None
        tmp_6 = in_0.float()
        tmp_7 = (1.0) + tmp_6
        tmp_6 = None
        tmp_8 = tmp_5 * tmp_7
        tmp_5 = tmp_7 = None
        tmp_9 = tmp_8.type_as(in_2)
        tmp_8 = None
        tmp_10 = in_1 + tmp_9
        tmp_9 = None
        return (tmp_10,)