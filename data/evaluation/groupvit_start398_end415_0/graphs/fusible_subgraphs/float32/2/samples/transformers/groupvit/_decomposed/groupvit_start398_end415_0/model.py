import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = in_3.contiguous()
        tmp_1 = in_1.view(1, 256, 4, 64)
        tmp_2 = tmp_1.transpose(1, 2)
        tmp_1 = None
        tmp_3 = tmp_2.contiguous()
        tmp_2 = None
        tmp_4 = tmp_3.view(4, -1, 64)
        tmp_3 = None
        tmp_5 = in_2.view(4, -1, 64)
        tmp_6 = tmp_0.view(4, -1, 64)
        tmp_0 = None
        tmp_7 = tmp_5.transpose(1, 2)
        tmp_5 = None
        tmp_8 = torch.bmm(tmp_4, tmp_7)
        tmp_4 = tmp_7 = None
        tmp_9 = tmp_8.view(1, 4, 256, 256)
        tmp_8 = None
        tmp_10 = tmp_9 + in_0
        tmp_9 = None
        tmp_11 = tmp_10.view(4, 256, 256)
        tmp_10 = None
        tmp_12 = torch.nn.functional.softmax(tmp_11, dim=-1)
        tmp_11 = None
        tmp_13 = tmp_12.view(1, 4, 256, 256)
        tmp_12 = None
        tmp_14 = tmp_13.view(4, 256, 256)
        tmp_13 = None
        tmp_15 = torch.nn.functional.dropout(tmp_14, p=0.0, training=False)
        tmp_14 = None
        tmp_16 = torch.bmm(tmp_15, tmp_6)
        tmp_6 = tmp_15 = None
        return (tmp_16,)