import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = in_3.contiguous()
        tmp_1 = tmp_0.view(-1, 96, 96, 128)
        tmp_0 = None
        tmp_2 = torch.roll(tmp_1, shifts=(6, 6), dims=(1, 2))
        tmp_1 = None
        tmp_3 = tmp_2.view(2, 9216, 128)
        tmp_2 = None
        tmp_4 = in_2 + tmp_3
        tmp_3 = None
        tmp_5 = torch.nn.functional.layer_norm(tmp_4, (128,), in_0, in_1, 1e-05)
        return (tmp_4, tmp_5)