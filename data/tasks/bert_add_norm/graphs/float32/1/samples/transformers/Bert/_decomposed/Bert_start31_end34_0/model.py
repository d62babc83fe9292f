import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = torch.nn.functional.dropout(in_3, 0.1, False, False)
        tmp_1 = tmp_0 + in_2
        tmp_0 = None
        tmp_2 = torch.nn.functional.layer_norm(tmp_1, (256,), in_0, in_1, 1e-12)
        tmp_1 = None
        return (tmp_2,)