import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = in_0.softmax(-2)
        tmp_1 = tmp_0.max(-2, keepdim=True)
        tmp_2 = tmp_1[1]
        tmp_1 = None
        tmp_3 = torch.zeros_like(in_0, memory_format=torch.contiguous_format)
        return (tmp_0, tmp_2, tmp_3)