import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5):
        in_5 += in_4
        tmp_0 = in_5
        tmp_1 = torch.nn.functional.dropout(tmp_0, p=0.0, training=False)
        tmp_0 = None
        tmp_2 = in_3 + tmp_1
        tmp_1 = None
        tmp_3 = torch.nn.functional.layer_norm(tmp_2, (256,), in_0, in_1, 1e-05)
        tmp_4 = in_2.T
        return (tmp_2, tmp_3, tmp_4)