import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25):
        tmp_0 = in_24.flatten(2)
        tmp_1 = tmp_0.transpose(1, 2)
        tmp_0 = None
        tmp_2 = torch.cat((in_25, tmp_1), dim=1)
        tmp_1 = None
        tmp_3 = torch.nn.functional.layer_norm(tmp_2, (1024,), in_0, in_1, 1e-06)
        tmp_4 = torch.nn.functional.linear(tmp_3, in_2, in_3)
        tmp_3 = None
        tmp_5 = tmp_4.reshape(16, 257, 3, 16, 64)
        tmp_4 = None
        tmp_6 = tmp_5.permute(2, 0, 3, 1, 4)
        tmp_5 = None
        tmp_7 = tmp_6.unbind(0)
        tmp_6 = None
        tmp_8 = tmp_7[0]
        tmp_9 = tmp_7[1]
        tmp_10 = tmp_7[2]
        tmp_7 = None
        tmp_11 = torch.nn.functional.scaled_dot_product_attention(tmp_8, tmp_9, tmp_10, attn_mask=None, dropout_p=0.0, is_causal=False)
        tmp_8 = tmp_9 = tmp_10 = None
        tmp_12 = tmp_11.transpose(1, 2)
        tmp_11 = None
        tmp_13 = tmp_12.reshape(16, 257, 1024)
        tmp_12 = None
        tmp_14 = torch.nn.functional.linear(tmp_13, in_4, in_5)
        tmp_13 = None
        tmp_15 = torch.nn.functional.dropout(tmp_14, 0.0, False, False)
        tmp_14 = None
        tmp_16 = tmp_2 + tmp_15
        tmp_2 = tmp_15 = None
        tmp_17 = torch.nn.functional.layer_norm(tmp_16, (1024,), in_6, in_7, 1e-06)
        tmp_18 = torch.nn.functional.linear(tmp_17, in_8, in_9)
        tmp_17 = None
        tmp_19 = torch.nn.functional.gelu(tmp_18, approximate='none')
        tmp_18 = None
        tmp_20 = torch.nn.functional.dropout(tmp_19, 0.0, False, False)
        tmp_19 = None
        tmp_21 = torch.nn.functional.linear(tmp_20, in_10, in_11)
        tmp_20 = None
        tmp_22 = torch.nn.functional.dropout(tmp_21, 0.0, False, False)
        tmp_21 = None
        tmp_23 = tmp_16 + tmp_22
        tmp_16 = tmp_22 = None
        tmp_24 = torch.nn.functional.layer_norm(tmp_23, (1024,), in_12, in_13, 1e-06)
        tmp_25 = torch.nn.functional.linear(tmp_24, in_14, in_15)
        tmp_24 = None
        tmp_26 = tmp_25.reshape(16, 257, 3, 16, 64)
        tmp_25 = None
        tmp_27 = tmp_26.permute(2, 0, 3, 1, 4)
        tmp_26 = None
        tmp_28 = tmp_27.unbind(0)
        tmp_27 = None
        tmp_29 = tmp_28[0]
        tmp_30 = tmp_28[1]
        tmp_31 = tmp_28[2]
        tmp_28 = None
        tmp_32 = torch.nn.functional.scaled_dot_product_attention(tmp_29, tmp_30, tmp_31, attn_mask=None, dropout_p=0.0, is_causal=False)
        tmp_29 = tmp_30 = tmp_31 = None
        tmp_33 = tmp_32.transpose(1, 2)
        tmp_32 = None
        tmp_34 = tmp_33.reshape(16, 257, 1024)
        tmp_33 = None
        tmp_35 = torch.nn.functional.linear(tmp_34, in_16, in_17)
        tmp_34 = None
        tmp_36 = torch.nn.functional.dropout(tmp_35, 0.0, False, False)
        tmp_35 = None
        tmp_37 = tmp_23 + tmp_36
        tmp_23 = tmp_36 = None
        tmp_38 = torch.nn.functional.layer_norm(tmp_37, (1024,), in_18, in_19, 1e-06)
        tmp_39 = torch.nn.functional.linear(tmp_38, in_20, in_21)
        tmp_38 = None
        tmp_40 = torch.nn.functional.gelu(tmp_39, approximate='none')
        tmp_39 = None
        tmp_41 = torch.nn.functional.dropout(tmp_40, 0.0, False, False)
        tmp_40 = None
        tmp_42 = torch.nn.functional.linear(tmp_41, in_22, in_23)
        tmp_41 = None
        tmp_43 = torch.nn.functional.dropout(tmp_42, 0.0, False, False)
        tmp_42 = None
        tmp_44 = tmp_37 + tmp_43
        tmp_37 = tmp_43 = None
        tmp_45 = tmp_44[(slice(None, None, None), slice(None, 1, None))]
        tmp_44 = None
        return (tmp_45,)