import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7):
        tmp_0 = torch.nn.functional.embedding(in_0, in_1, 0, None, 2.0, False, False)
        tmp_1 = torch.nn.functional.embedding(in_7, in_2, None, None, 2.0, False, False)
        tmp_2 = tmp_0 + tmp_1
        tmp_0 = tmp_1 = None
        tmp_3 = torch.nn.functional.embedding(in_6, in_3, None, None, 2.0, False, False)
        tmp_4 = tmp_2 + tmp_3
        tmp_2 = tmp_3 = None
        tmp_5 = torch.nn.functional.layer_norm(tmp_4, (256,), in_4, in_5, 1e-12)
        tmp_4 = None
        tmp_6 = torch.nn.functional.dropout(tmp_5, 0.1, False, False)
        tmp_5 = None
        return (tmp_6,)