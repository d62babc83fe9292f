import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = torch.nn.functional.dropout(in_2, 0.0, False, False)
        tmp_1 = in_0.reshape(1, -1, 1, 1)
        tmp_2 = tmp_0.mul(tmp_1)
        tmp_0 = tmp_1 = None
        tmp_3 = tmp_2 + in_1
        tmp_2 = None
        return (tmp_3,)