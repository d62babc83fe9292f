import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20):
        tmp_0 = torch.rms_norm(in_20, (768,), in_0, 1e-06)
        tmp_1 = torch.clamp(tmp_0, in_1, in_2)
        tmp_2 = torch.nn.functional.linear(tmp_1, in_3, None)
        tmp_1 = None
        tmp_3 = torch.clamp(tmp_2, in_4, in_5)
        tmp_2 = None
        tmp_4 = tmp_3.view(2, 2304, 12, 64)
        tmp_3 = None
        tmp_5 = torch.clamp(tmp_0, in_6, in_7)
        tmp_6 = torch.nn.functional.linear(tmp_5, in_8, None)
        tmp_5 = None
        tmp_7 = torch.clamp(tmp_6, in_9, in_10)
        tmp_6 = None
        tmp_8 = tmp_7.view(2, 2304, 12, 64)
        tmp_7 = None
        tmp_9 = torch.clamp(tmp_0, in_11, in_12)
        tmp_0 = None
        tmp_10 = torch.nn.functional.linear(tmp_9, in_13, None)
        tmp_9 = None
        tmp_11 = torch.clamp(tmp_10, in_14, in_15)
        tmp_10 = None
        tmp_12 = tmp_11.view(2, 2304, 12, 64)
        tmp_11 = None
        tmp_13 = torch.rms_norm(tmp_4, (64,), in_16, 1e-06)
        tmp_4 = None
        tmp_14 = torch.rms_norm(tmp_8, (64,), in_17, 1e-06)
        tmp_8 = None
        tmp_15 = torch.rms_norm(tmp_12, (64,), None, 1e-06)
        tmp_12 = None
        tmp_16 = torch.split(tmp_13, [32, 32], dim=-1)
        tmp_13 = None
        tmp_17 = tmp_16[0]
        tmp_18 = tmp_16[1]
        tmp_16 = None
        tmp_19 = torch.split(in_18, [32, 32], dim=-1)
        tmp_20 = tmp_19[0]
        tmp_21 = tmp_19[1]
        tmp_19 = None
        tmp_22 = torch.split(in_19, [32, 32], dim=-1)
        tmp_23 = tmp_22[0]
        tmp_24 = tmp_22[1]
        tmp_22 = None
        tmp_25 = tmp_20.unsqueeze(2)
        tmp_20 = None
        tmp_26 = tmp_23.unsqueeze(2)
        tmp_23 = None
        tmp_27 = tmp_17 * tmp_25
        tmp_25 = None
        tmp_28 = tmp_17[(..., slice(None, 16, None))]
        tmp_29 = tmp_17[(..., slice(16, None, None))]
        tmp_17 = None
        tmp_30 = -tmp_29
        tmp_29 = None
        tmp_31 = torch.cat((tmp_30, tmp_28), dim=-1)
        tmp_28 = tmp_30 = None
        tmp_32 = tmp_31 * tmp_26
        tmp_26 = tmp_31 = None
        tmp_33 = tmp_27 + tmp_32
        tmp_27 = tmp_32 = None
        return (tmp_14, tmp_15, tmp_18, tmp_21, tmp_24, tmp_33)