import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = torch.cdist(in_2, in_3, p=2)
        tmp_1 = tmp_0[0]
        tmp_0 = None
        tmp_2 = tmp_1.argmin(dim=-1)
        tmp_1 = None
        tmp_3 = tmp_2.view(64, 4)
        tmp_2 = None
        tmp_4 = torch.stack([tmp_3])
        tmp_3 = None
        return (tmp_4,)