import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = in_3.contiguous()
        tmp_1 = tmp_0.transpose(1, 2)
        tmp_0 = None
        tmp_2 = -in_2
        tmp_3 = in_1.repeat_interleave(2, dim=-1)
        tmp_4 = tmp_3.unsqueeze(1)
        tmp_3 = None
        tmp_5 = tmp_2.repeat_interleave(2, dim=-1)
        tmp_2 = None
        tmp_6 = tmp_5.unsqueeze(1)
        tmp_5 = None
        tmp_7 = tmp_1[(..., slice(None, -64, None))]
        tmp_8 = tmp_1[(..., slice(-64, None, None))]
        tmp_1 = None
        tmp_9 = tmp_8.float()
        tmp_10 = tmp_9 * tmp_4
        tmp_4 = tmp_9 = None
        tmp_11 = tmp_8[(..., slice(0, None, 2))]
        tmp_12 = tmp_8[(..., slice(1, None, 2))]
        tmp_8 = None
        tmp_13 = -tmp_12
        tmp_12 = None
        tmp_14 = torch.stack((tmp_13, tmp_11), dim=-1)
        tmp_11 = tmp_13 = None
        tmp_15 = tmp_14.flatten(-2)
        tmp_14 = None
        tmp_16 = tmp_15.float()
        tmp_15 = None
        tmp_17 = tmp_16 * tmp_6
        tmp_6 = tmp_16 = None
        tmp_18 = tmp_10 + tmp_17
        tmp_10 = tmp_17 = None
        tmp_19 = tmp_18.to(torch.float16)
        tmp_18 = None
        tmp_20 = torch.cat([tmp_7, tmp_19], dim=-1)
        tmp_7 = tmp_19 = None
        tmp_21 = tmp_20.transpose(1, 2)
        tmp_20 = None
        tmp_22 = tmp_21.reshape(256, 16, 8, -1)
        tmp_21 = None
        tmp_23 = in_0.view(8, -1, 256)
        tmp_24 = tmp_23.transpose(1, 2)
        tmp_23 = None
        tmp_25 = tmp_22.reshape(-1, 8, 256)
        tmp_22 = None
        tmp_26 = tmp_25.transpose(0, 1)
        tmp_25 = None
        return (tmp_24, tmp_26)