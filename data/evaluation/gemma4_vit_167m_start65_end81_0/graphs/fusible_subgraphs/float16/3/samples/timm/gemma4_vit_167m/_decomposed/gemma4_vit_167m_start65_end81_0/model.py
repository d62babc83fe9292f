import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8):
        tmp_0 = torch.clamp(in_8, in_0, in_1)
        tmp_1 = tmp_0.view(16, 16, 12, 64)
        tmp_0 = None
        tmp_2 = torch.rms_norm(in_6, (64,), in_2, 1e-06)
        tmp_3 = torch.rms_norm(in_7, (64,), in_3, 1e-06)
        tmp_4 = torch.rms_norm(tmp_1, (64,), None, 1e-06)
        tmp_1 = None
        tmp_5 = torch.split(tmp_2, [32, 32], dim=-1)
        tmp_2 = None
        tmp_6 = tmp_5[0]
        tmp_7 = tmp_5[1]
        tmp_5 = None
        tmp_8 = torch.split(in_4, [32, 32], dim=-1)
        tmp_9 = tmp_8[0]
        tmp_10 = tmp_8[1]
        tmp_8 = None
        tmp_11 = torch.split(in_5, [32, 32], dim=-1)
        tmp_12 = tmp_11[0]
        tmp_13 = tmp_11[1]
        tmp_11 = None
        tmp_14 = tmp_9.unsqueeze(2)
        tmp_9 = None
        tmp_15 = tmp_12.unsqueeze(2)
        tmp_12 = None
        return (tmp_3, tmp_4, tmp_6, tmp_7, tmp_10, tmp_13, tmp_14, tmp_15)