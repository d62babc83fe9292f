import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = in_0 * 0.0625
        tmp_1 = tmp_0 / 50.0
        tmp_0 = None
        tmp_2 = torch.tanh(tmp_1)
        tmp_1 = None
        tmp_3 = tmp_2 * 50.0
        tmp_2 = None
        return (tmp_3,)