import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7):
        tmp_0 = torch.nn.functional.linear(in_7, in_0, in_1)
        tmp_1 = in_6 + tmp_0
        tmp_0 = None
        tmp_2 = in_2.expand(1, -1, -1)
        tmp_3 = torch.nn.functional.layer_norm(in_5, (256,), in_3, in_4, 1e-05)
        tmp_4 = tmp_3.transpose(1, 2)
        tmp_3 = None
        return (tmp_1, tmp_2, tmp_4)