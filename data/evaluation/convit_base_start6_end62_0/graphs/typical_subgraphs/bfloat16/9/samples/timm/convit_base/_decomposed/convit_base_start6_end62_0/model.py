import torch
from torch import device

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12):
        tmp_0 = torch.zeros(1, 196, 196, 3)
        tmp_1 = torch.arange(14, dtype=torch.float32)
        tmp_2 = tmp_1.view(1, -1)
        tmp_1 = None
        tmp_3 = torch.arange(14, dtype=torch.float32)
        tmp_4 = tmp_3.view(-1, 1)
        tmp_3 = None
        tmp_5 = tmp_2 - tmp_4
        tmp_2 = tmp_4 = None
        tmp_6 = tmp_5.repeat(14, 14)
        tmp_7 = tmp_5.repeat_interleave(14, dim=0)
        tmp_5 = None
        tmp_8 = tmp_7.repeat_interleave(14, dim=1)
        tmp_7 = None
        tmp_9 = tmp_6 ** 2
        tmp_10 = tmp_8 ** 2
        tmp_11 = tmp_9 + tmp_10
        tmp_9 = tmp_10 = None
        tmp_12 = tmp_11.unsqueeze(0)
        tmp_11 = None
        tmp_0[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 2)] = tmp_12
        tmp_13 = tmp_0
        tmp_12 = tmp_13 = None
        tmp_14 = tmp_8.unsqueeze(0)
        tmp_8 = None
        tmp_0[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 1)] = tmp_14
        tmp_15 = tmp_0
        tmp_14 = tmp_15 = None
        tmp_16 = tmp_6.unsqueeze(0)
        tmp_6 = None
        tmp_0[(slice(None, None, None), slice(None, None, None), slice(None, None, None), 0)] = tmp_16
        tmp_17 = tmp_0
        tmp_16 = tmp_17 = None
        tmp_18 = tmp_0.to(device=device(type='cpu'), dtype=torch.bfloat16)
        tmp_0 = None
        tmp_19 = torch.nn.functional.linear(in_12, in_0, None)
        tmp_20 = tmp_19.reshape(2, 196, 2, 16, 48)
        tmp_19 = None
        tmp_21 = tmp_20.permute(2, 0, 3, 1, 4)
        tmp_20 = None
        tmp_22 = tmp_21[0]
        tmp_23 = tmp_21[1]
        tmp_21 = None
        tmp_24 = tmp_18.expand(2, -1, -1, -1)
        tmp_25 = torch.nn.functional.linear(tmp_24, in_1, in_2)
        tmp_24 = None
        tmp_26 = tmp_25.permute(0, 3, 1, 2)
        tmp_25 = None
        tmp_27 = tmp_23.transpose(-2, -1)
        tmp_23 = None
        tmp_28 = tmp_22 @ tmp_27
        tmp_22 = tmp_27 = None
        tmp_29 = tmp_28 * 0.14433756729740643
        tmp_28 = None
        tmp_30 = tmp_29.softmax(dim=-1)
        tmp_29 = None
        tmp_31 = tmp_26.softmax(dim=-1)
        tmp_26 = None
        tmp_32 = in_3.view(1, -1, 1, 1)
        tmp_33 = torch.sigmoid(tmp_32)
        tmp_34 = (1.0) - tmp_33
        tmp_33 = None
        tmp_35 = tmp_34 * tmp_30
        tmp_30 = tmp_34 = None
        tmp_36 = torch.sigmoid(tmp_32)
        tmp_32 = None
        tmp_37 = tmp_36 * tmp_31
        tmp_31 = tmp_36 = None
        tmp_38 = tmp_35 + tmp_37
        tmp_35 = tmp_37 = None
        tmp_39 = tmp_38.sum(dim=-1)
        tmp_40 = tmp_39.unsqueeze(-1)
        tmp_39 = None
        tmp_38 /= tmp_40
        tmp_41 = tmp_38
        tmp_38 = tmp_40 = None
        tmp_42 = torch.nn.functional.dropout(tmp_41, 0.0, False, False)
        tmp_41 = None
        tmp_43 = torch.nn.functional.linear(in_12, in_4, None)
        tmp_44 = tmp_43.reshape(2, 196, 16, 48)
        tmp_43 = None
        tmp_45 = tmp_44.permute(0, 2, 1, 3)
        tmp_44 = None
        tmp_46 = tmp_42 @ tmp_45
        tmp_42 = tmp_45 = None
        tmp_47 = tmp_46.transpose(1, 2)
        tmp_46 = None
        tmp_48 = tmp_47.reshape(2, 196, 768)
        tmp_47 = None
        tmp_49 = torch.nn.functional.linear(tmp_48, in_5, in_6)
        tmp_48 = None
        tmp_50 = torch.nn.functional.dropout(tmp_49, 0.0, False, False)
        tmp_49 = None
        tmp_51 = in_11 + tmp_50
        tmp_50 = None
        tmp_52 = torch.nn.functional.layer_norm(tmp_51, (768,), in_7, in_8, 1e-06)
        tmp_53 = torch.nn.functional.linear(tmp_52, in_9, in_10)
        tmp_52 = None
        tmp_54 = torch.nn.functional.gelu(tmp_53, approximate='none')
        tmp_53 = None
        tmp_55 = torch.nn.functional.dropout(tmp_54, 0.0, False, False)
        tmp_54 = None
        return (tmp_18, tmp_51, tmp_55)