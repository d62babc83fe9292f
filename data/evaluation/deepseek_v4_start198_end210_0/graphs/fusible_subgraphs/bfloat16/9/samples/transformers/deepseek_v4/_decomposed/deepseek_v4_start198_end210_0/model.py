import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_2 * 0.04419417382415922
        tmp_1 = tmp_0 + in_1
        tmp_0 = None
        tmp_2 = in_0.reshape(1, -1, 1, 1)
        tmp_3 = tmp_2.expand(3, -1, 17, -1)
        tmp_2 = None
        tmp_4 = torch.cat([tmp_1, tmp_3], dim=-1)
        tmp_1 = tmp_3 = None
        tmp_5 = tmp_4.max(dim=-1, keepdim=True)
        tmp_6 = tmp_5[0]
        tmp_5 = None
        tmp_7 = tmp_4 - tmp_6
        tmp_4 = tmp_6 = None
        tmp_8 = torch.nn.functional.softmax(tmp_7, dim=-1, dtype=torch.float32)
        tmp_7 = None
        tmp_9 = tmp_8[(..., slice(None, -1, None))]
        tmp_8 = None
        tmp_10 = torch.nn.functional.dropout(tmp_9, p=0.0, training=False)
        tmp_9 = None
        tmp_11 = tmp_10.to(torch.bfloat16)
        tmp_10 = None
        return (tmp_11,)