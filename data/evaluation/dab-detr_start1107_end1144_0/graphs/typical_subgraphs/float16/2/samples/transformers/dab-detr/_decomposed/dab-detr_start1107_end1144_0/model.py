import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21):
        tmp_0 = torch.nn.functional.linear(in_16, in_0, in_1)
        tmp_1 = tmp_0.view(1, 256, 8, 32)
        tmp_0 = None
        tmp_2 = torch.cat([in_21, tmp_1], dim=3)
        tmp_1 = None
        tmp_3 = tmp_2.view(1, 256, 512)
        tmp_2 = None
        tmp_4 = in_20.view(1, 4, 8, 32)
        tmp_5 = in_19.view(1, 4, 8, 32)
        tmp_6 = torch.cat([tmp_4, tmp_5], dim=3)
        tmp_4 = tmp_5 = None
        tmp_7 = tmp_6.view(1, 4, 512)
        tmp_6 = None
        tmp_8 = tmp_3 * 0.125
        tmp_3 = None
        tmp_9 = tmp_8.view(1, -1, 8, 64)
        tmp_8 = None
        tmp_10 = tmp_9.transpose(1, 2)
        tmp_9 = None
        tmp_11 = tmp_7.view(1, -1, 8, 64)
        tmp_7 = None
        tmp_12 = tmp_11.transpose(1, 2)
        tmp_11 = None
        tmp_13 = in_18.view(1, -1, 8, 32)
        tmp_14 = tmp_13.transpose(1, 2)
        tmp_13 = None
        tmp_15 = tmp_12.transpose(2, 3)
        tmp_12 = None
        tmp_16 = torch.matmul(tmp_10, tmp_15)
        tmp_10 = tmp_15 = None
        tmp_17 = tmp_16 + in_15
        tmp_16 = None
        tmp_18 = torch.nn.functional.softmax(tmp_17, dim=-1, dtype=torch.float32)
        tmp_17 = None
        tmp_19 = tmp_18.to(torch.float16)
        tmp_18 = None
        tmp_20 = torch.nn.functional.dropout(tmp_19, p=0.0, training=False)
        tmp_19 = None
        tmp_21 = torch.matmul(tmp_20, tmp_14)
        tmp_14 = tmp_20 = None
        tmp_22 = tmp_21.transpose(1, 2)
        tmp_21 = None
        tmp_23 = tmp_22.contiguous()
        tmp_22 = None
        tmp_24 = tmp_23.reshape(1, 256, 256)
        tmp_23 = None
        tmp_25 = torch.nn.functional.linear(tmp_24, in_2, in_3)
        tmp_24 = None
        tmp_26 = torch.nn.functional.dropout(tmp_25, p=0.1, training=False)
        tmp_25 = None
        tmp_27 = in_17 + tmp_26
        tmp_26 = None
        tmp_28 = torch.nn.functional.layer_norm(tmp_27, (256,), in_4, in_5, 1e-05)
        tmp_27 = None
        tmp_29 = torch.nn.functional.linear(tmp_28, in_6, in_7)
        tmp_30 = torch.prelu(tmp_29, in_8)
        tmp_29 = None
        tmp_31 = torch.nn.functional.dropout(tmp_30, p=0.0, training=False)
        tmp_30 = None
        tmp_32 = torch.nn.functional.linear(tmp_31, in_9, in_10)
        tmp_31 = None
        tmp_33 = torch.nn.functional.dropout(tmp_32, p=0.1, training=False)
        tmp_32 = None
        tmp_34 = tmp_28 + tmp_33
        tmp_28 = tmp_33 = None
        tmp_35 = torch.nn.functional.layer_norm(tmp_34, (256,), in_11, in_12, 1e-05)
        tmp_34 = None
        tmp_36 = torch.nn.functional.layer_norm(tmp_35, (256,), in_13, in_14, 1e-05)
        return (tmp_35, tmp_36)