import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17):
        tmp_0 = torch.nn.functional.layer_norm(in_17, (256,), in_0, in_1, 1e-05)
        tmp_1 = torch.nn.functional.linear(tmp_0, in_2, in_3)
        tmp_2 = tmp_1.view(16, -1, 4, 64)
        tmp_1 = None
        tmp_3 = tmp_2.transpose(1, 2)
        tmp_2 = None
        tmp_4 = tmp_3.contiguous()
        tmp_3 = None
        tmp_5 = tmp_4 * 0.125
        tmp_4 = None
        tmp_6 = torch.nn.functional.linear(tmp_0, in_4, in_5)
        tmp_7 = tmp_6.view(16, -1, 4, 64)
        tmp_6 = None
        tmp_8 = tmp_7.transpose(1, 2)
        tmp_7 = None
        tmp_9 = tmp_8.contiguous()
        tmp_8 = None
        tmp_10 = torch.nn.functional.linear(tmp_0, in_6, in_7)
        tmp_0 = None
        tmp_11 = tmp_10.view(16, -1, 4, 64)
        tmp_10 = None
        tmp_12 = tmp_11.transpose(1, 2)
        tmp_11 = None
        tmp_13 = tmp_12.contiguous()
        tmp_12 = None
        tmp_14 = tmp_9.transpose(2, 3)
        tmp_9 = None
        tmp_15 = torch.matmul(tmp_5, tmp_14)
        tmp_5 = tmp_14 = None
        tmp_16 = tmp_15 + in_16
        tmp_15 = None
        tmp_17 = torch.nn.functional.softmax(tmp_16, dim=-1)
        tmp_16 = None
        tmp_18 = torch.nn.functional.dropout(tmp_17, p=0.1, training=False)
        tmp_17 = None
        tmp_19 = torch.matmul(tmp_18, tmp_13)
        tmp_13 = tmp_18 = None
        tmp_20 = tmp_19.transpose(1, 2)
        tmp_19 = None
        tmp_21 = tmp_20.contiguous()
        tmp_20 = None
        tmp_22 = tmp_21.reshape(16, 16, 256)
        tmp_21 = None
        tmp_23 = torch.nn.functional.linear(tmp_22, in_8, in_9)
        tmp_22 = None
        tmp_24 = tmp_23 + in_17
        tmp_23 = None
        tmp_25 = torch.nn.functional.layer_norm(tmp_24, (256,), in_10, in_11, 1e-05)
        tmp_26 = tmp_25.view(-1, 256)
        tmp_25 = None
        tmp_27 = torch.addmm(in_12, tmp_26, in_13)
        tmp_26 = None
        tmp_28 = tmp_27.view((16, 16, 1024))
        tmp_27 = None
        tmp_29 = (0.5) * tmp_28
        tmp_30 = torch.pow(tmp_28, 3.0)
        tmp_31 = (0.044715) * tmp_30
        tmp_30 = None
        tmp_32 = tmp_28 + tmp_31
        tmp_28 = tmp_31 = None
        tmp_33 = (0.7978845608028654) * tmp_32
        tmp_32 = None
        tmp_34 = torch.tanh(tmp_33)
        tmp_33 = None
        tmp_35 = (1.0) + tmp_34
        tmp_34 = None
        tmp_36 = tmp_29 * tmp_35
        tmp_29 = tmp_35 = None
        tmp_37 = tmp_36.view(-1, 1024)
        tmp_36 = None
        tmp_38 = torch.addmm(in_14, tmp_37, in_15)
        tmp_37 = None
        tmp_39 = tmp_38.view((16, 16, 256))
        tmp_38 = None
        tmp_40 = torch.nn.functional.dropout(tmp_39, 0.1, False, False)
        tmp_39 = None
        tmp_41 = tmp_24 + tmp_40
        tmp_24 = tmp_40 = None
        return (tmp_41,)