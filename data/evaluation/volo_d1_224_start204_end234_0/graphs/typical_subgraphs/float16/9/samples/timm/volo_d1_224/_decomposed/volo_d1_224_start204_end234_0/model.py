import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13):
        tmp_0 = torch.cat([in_13, in_12], dim=1)
        tmp_1 = tmp_0[(slice(None, None, None), slice(None, 1, None))]
        tmp_2 = torch.nn.functional.layer_norm(tmp_0, (384,), in_0, in_1, 1e-05)
        tmp_3 = torch.nn.functional.linear(tmp_2, in_2, None)
        tmp_4 = tmp_3.reshape(2, 50, 2, 12, 32)
        tmp_3 = None
        tmp_5 = tmp_4.permute(2, 0, 3, 1, 4)
        tmp_4 = None
        tmp_6 = tmp_5.unbind(0)
        tmp_5 = None
        tmp_7 = tmp_6[0]
        tmp_8 = tmp_6[1]
        tmp_6 = None
        tmp_9 = tmp_2[(slice(None, None, None), slice(None, 1, None), slice(None, None, None))]
        tmp_2 = None
        tmp_10 = torch.nn.functional.linear(tmp_9, in_3, None)
        tmp_9 = None
        tmp_11 = tmp_10.reshape(2, 12, 1, 32)
        tmp_10 = None
        tmp_12 = tmp_11 * 0.1767766952966369
        tmp_11 = None
        tmp_13 = tmp_7.transpose(-2, -1)
        tmp_7 = None
        tmp_14 = tmp_12 @ tmp_13
        tmp_12 = tmp_13 = None
        tmp_15 = tmp_14.softmax(dim=-1)
        tmp_14 = None
        tmp_16 = torch.nn.functional.dropout(tmp_15, 0.0, False, False)
        tmp_15 = None
        tmp_17 = tmp_16 @ tmp_8
        tmp_8 = tmp_16 = None
        tmp_18 = tmp_17.transpose(1, 2)
        tmp_17 = None
        tmp_19 = tmp_18.reshape(2, 1, 384)
        tmp_18 = None
        tmp_20 = torch.nn.functional.linear(tmp_19, in_4, in_5)
        tmp_19 = None
        tmp_21 = torch.nn.functional.dropout(tmp_20, 0.0, False, False)
        tmp_20 = None
        tmp_22 = tmp_1 + tmp_21
        tmp_1 = tmp_21 = None
        tmp_23 = torch.nn.functional.layer_norm(tmp_22, (384,), in_6, in_7, 1e-05)
        tmp_24 = torch.nn.functional.linear(tmp_23, in_8, in_9)
        tmp_23 = None
        tmp_25 = torch.nn.functional.gelu(tmp_24, approximate='none')
        tmp_24 = None
        tmp_26 = torch.nn.functional.dropout(tmp_25, 0.0, False, False)
        tmp_25 = None
        tmp_27 = torch.nn.functional.linear(tmp_26, in_10, in_11)
        tmp_26 = None
        tmp_28 = torch.nn.functional.dropout(tmp_27, 0.0, False, False)
        tmp_27 = None
        tmp_29 = tmp_22 + tmp_28
        tmp_22 = tmp_28 = None
        return (tmp_0, tmp_29)