import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4):
        tmp_0 = torch.cat([in_4, in_3], dim=1)
        tmp_1 = tmp_0 + in_0
        tmp_0 = None
        tmp_2 = torch.nn.functional.dropout(tmp_1, 0.0, False, False)
        tmp_1 = None
        tmp_3 = torch.nn.functional.layer_norm(tmp_2, (192,), in_1, in_2, 1e-06)
        return (tmp_2, tmp_3)