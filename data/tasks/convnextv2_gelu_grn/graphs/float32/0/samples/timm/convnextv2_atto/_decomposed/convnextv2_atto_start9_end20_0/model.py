import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = torch.nn.functional.gelu(in_2)
        tmp_1 = torch.nn.functional.dropout(tmp_0, 0.0, False, False)
        tmp_0 = None
        tmp_2 = tmp_1.norm(p=2, dim=(2, 3), keepdim=True)
        tmp_3 = tmp_2.mean(dim=1, keepdim=True)
        tmp_4 = tmp_3 + 1e-06
        tmp_3 = None
        tmp_5 = tmp_2 / tmp_4
        tmp_2 = tmp_4 = None
        tmp_6 = in_0.view((1, -1, 1, 1))
        tmp_7 = in_1.view((1, -1, 1, 1))
        tmp_8 = tmp_1 * tmp_5
        tmp_5 = None
        tmp_9 = torch.addcmul(tmp_6, tmp_7, tmp_8)
        tmp_6 = tmp_7 = tmp_8 = None
        tmp_10 = tmp_1 + tmp_9
        tmp_1 = tmp_9 = None
        return (tmp_10,)