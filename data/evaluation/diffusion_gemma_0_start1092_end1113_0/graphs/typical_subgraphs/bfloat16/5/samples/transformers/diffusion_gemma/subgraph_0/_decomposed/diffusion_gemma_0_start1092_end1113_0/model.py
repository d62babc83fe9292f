import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4):
        tmp_0 = torch.nn.functional.linear(in_4, in_0, None)
        tmp_1 = tmp_0.view((256, 16, -1, 512))
        tmp_0 = None
        tmp_2 = tmp_1.float()
        tmp_3 = tmp_2.pow(2)
        tmp_4 = tmp_3.mean(-1, keepdim=True)
        tmp_3 = None
        tmp_5 = tmp_4 + 1e-06
        tmp_4 = None
        tmp_6 = torch.pow(tmp_5, -0.5)
        tmp_5 = None
        tmp_7 = tmp_2 * tmp_6
        tmp_2 = tmp_6 = None
        tmp_8 = in_1.float()
        tmp_9 = tmp_7 * tmp_8
        tmp_7 = tmp_8 = None
        tmp_10 = tmp_9.type_as(tmp_1)
        tmp_1 = tmp_9 = None
        tmp_11 = in_2.unsqueeze(2)
        tmp_12 = in_3.unsqueeze(2)
        tmp_13 = tmp_10 * tmp_11
        tmp_11 = None
        tmp_14 = tmp_10[(..., slice(None, 256, None))]
        tmp_15 = tmp_10[(..., slice(256, None, None))]
        tmp_10 = None
        tmp_16 = -tmp_15
        tmp_15 = None
        tmp_17 = torch.cat((tmp_16, tmp_14), dim=-1)
        tmp_14 = tmp_16 = None
        tmp_18 = tmp_17 * tmp_12
        tmp_12 = tmp_17 = None
        tmp_19 = tmp_13 + tmp_18
        tmp_13 = tmp_18 = None
        tmp_20 = tmp_19.transpose(1, 2)
        tmp_19 = None
        return (tmp_20,)