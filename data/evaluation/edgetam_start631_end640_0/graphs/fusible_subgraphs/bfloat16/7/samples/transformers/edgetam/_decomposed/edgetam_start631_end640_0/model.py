import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_1 + in_2
        tmp_1 = tmp_0.repeat_interleave(1, dim=0)
        tmp_0 = None
        tmp_2 = in_0.repeat_interleave(1, 0)
        tmp_3 = tmp_1.flatten(2)
        tmp_1 = None
        tmp_4 = tmp_3.transpose(1, 2)
        tmp_3 = None
        tmp_5 = tmp_4.unsqueeze(1)
        tmp_4 = None
        tmp_6 = tmp_2.flatten(2)
        tmp_2 = None
        tmp_7 = tmp_6.transpose(1, 2)
        tmp_6 = None
        tmp_8 = tmp_7.unsqueeze(1)
        tmp_7 = None
        return (tmp_5, tmp_8)