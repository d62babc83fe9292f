import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_1 + in_2
        tmp_1 = tmp_0.view(-1, 16, 3, 49, 49)
        tmp_0 = None
        tmp_2 = in_0.unsqueeze(1)
        tmp_3 = tmp_2.unsqueeze(0)
        tmp_2 = None
        tmp_4 = tmp_1 + tmp_3
        tmp_1 = tmp_3 = None
        tmp_5 = tmp_4.view(-1, 3, 49, 49)
        tmp_4 = None
        tmp_6 = torch.nn.functional.softmax(tmp_5, -1, _stacklevel=5)
        tmp_5 = None
        tmp_7 = torch.nn.functional.dropout(tmp_6, 0.0, False, False)
        tmp_6 = None
        return (tmp_7,)