import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_1.sum(dim=-1, keepdim=True)
        in_1 /= tmp_0
        tmp_1 = in_1
        tmp_0 = None
        tmp_2 = tmp_1.to(torch.float32)
        tmp_1 = None
        tmp_3 = in_0.repeat_interleave(1, dim=0)
        tmp_4 = tmp_2.reshape(-1)
        tmp_2 = None
        tmp_5 = in_2.reshape(-1)
        return (tmp_3, tmp_4, tmp_5)