import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = torch.bmm(in_2, in_0)
        tmp_1 = tmp_0.squeeze(1)
        tmp_0 = None
        tmp_2 = tmp_1.add_(in_1)
        tmp_2 = None
        tmp_3 = tmp_1[(..., slice(None, None, 2))]
        tmp_4 = tmp_1[(..., slice(1, None, 2))]
        tmp_1 = None
        tmp_5 = tmp_3.clamp(min=None, max=7.0)
        tmp_3 = None
        tmp_6 = tmp_4.clamp(min=-7.0, max=7.0)
        tmp_4 = None
        tmp_7 = tmp_5 * 1.702
        tmp_8 = torch.sigmoid(tmp_7)
        tmp_7 = None
        tmp_9 = tmp_5 * tmp_8
        tmp_5 = tmp_8 = None
        tmp_10 = tmp_6 + 1
        tmp_6 = None
        tmp_11 = tmp_10 * tmp_9
        tmp_9 = tmp_10 = None
        return (tmp_11,)