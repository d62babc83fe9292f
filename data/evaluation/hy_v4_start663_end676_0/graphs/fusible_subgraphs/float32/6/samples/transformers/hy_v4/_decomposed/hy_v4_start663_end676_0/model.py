import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = torch.nn.functional.linear(in_2, in_0, None)
        tmp_1 = tmp_0.view((1, 4096, -1, 448))
        tmp_0 = None
        tmp_2 = tmp_1.transpose(1, 2)
        tmp_1 = None
        tmp_3 = torch.split(tmp_2, [192, 256], dim=-1)
        tmp_4 = tmp_3[0]
        tmp_5 = tmp_3[1]
        tmp_3 = None
        tmp_6 = in_3.expand(-1, 4, -1, -1)
        tmp_7 = tmp_2.new_empty(1, 4, 4096, 256)
        tmp_2 = None
        tmp_8 = tmp_7[(..., slice(None, 192, None))]
        tmp_9 = tmp_8.copy_(tmp_4)
        tmp_4 = tmp_8 = tmp_9 = None
        tmp_10 = tmp_7[(..., slice(192, None, None))]
        tmp_11 = tmp_10.copy_(tmp_6)
        tmp_6 = tmp_10 = tmp_11 = None
        tmp_12 = in_1.new_ones((1, 4096, 4096), dtype=torch.bool)
        return (tmp_5, tmp_7, tmp_12)