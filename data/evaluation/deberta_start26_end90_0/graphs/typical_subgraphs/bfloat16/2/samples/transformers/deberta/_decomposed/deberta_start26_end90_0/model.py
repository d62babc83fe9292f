import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14):
        tmp_0 = torch.nn.functional.linear(in_13, in_0, None)
        tmp_1 = tmp_0.view((1, 256, 4, -1))
        tmp_0 = None
        tmp_2 = tmp_1.permute(0, 2, 1, 3)
        tmp_1 = None
        tmp_3 = tmp_2.chunk(3, dim=-1)
        tmp_2 = None
        tmp_4 = tmp_3[0]
        tmp_5 = tmp_3[1]
        tmp_6 = tmp_3[2]
        tmp_3 = None
        tmp_7 = in_1[(None, None, slice(None, None, None))]
        tmp_8 = tmp_7.view((1, 1, 4, -1))
        tmp_7 = None
        tmp_9 = tmp_8.permute(0, 2, 1, 3)
        tmp_8 = None
        tmp_10 = tmp_4 + tmp_9
        tmp_4 = tmp_9 = None
        tmp_11 = in_2[(None, None, slice(None, None, None))]
        tmp_12 = tmp_11.view((1, 1, 4, -1))
        tmp_11 = None
        tmp_13 = tmp_12.permute(0, 2, 1, 3)
        tmp_12 = None
        tmp_14 = tmp_6 + tmp_13
        tmp_6 = tmp_13 = None
        tmp_15 = torch.tensor(64, dtype=torch.float32)
        tmp_16 = tmp_15 * 1
        tmp_15 = None
        tmp_17 = torch.sqrt(tmp_16)
        tmp_16 = None
        tmp_18 = tmp_17.to(dtype=torch.bfloat16)
        tmp_17 = None
        tmp_19 = tmp_10 / tmp_18
        tmp_10 = tmp_18 = None
        tmp_20 = tmp_5.transpose(-1, -2)
        tmp_5 = None
        tmp_21 = torch.matmul(tmp_19, tmp_20)
        tmp_19 = tmp_20 = None
        tmp_22 = tmp_21 + 0
        tmp_21 = None
        tmp_23 = in_14.bool()
        tmp_24 = ~tmp_23
        tmp_23 = None
        tmp_25 = tmp_22.masked_fill(tmp_24, -3.3895313892515355e+38)
        tmp_22 = tmp_24 = None
        tmp_26 = torch.nn.functional.softmax(tmp_25, dim=-1)
        tmp_25 = None
        tmp_27 = torch.nn.functional.dropout(tmp_26, 0.1, False, False)
        tmp_26 = None
        tmp_28 = torch.matmul(tmp_27, tmp_14)
        tmp_14 = tmp_27 = None
        tmp_29 = tmp_28.permute(0, 2, 1, 3)
        tmp_28 = None
        tmp_30 = tmp_29.contiguous()
        tmp_29 = None
        tmp_31 = tmp_30.view((1, 256, -1))
        tmp_30 = None
        tmp_32 = torch.nn.functional.linear(tmp_31, in_3, in_4)
        tmp_31 = None
        tmp_33 = torch.nn.functional.dropout(tmp_32, 0.1, False, False)
        tmp_32 = None
        tmp_34 = tmp_33 + in_13
        tmp_33 = None
        tmp_35 = tmp_34.float()
        tmp_34 = None
        tmp_36 = tmp_35.mean(-1, keepdim=True)
        tmp_37 = tmp_35 - tmp_36
        tmp_38 = tmp_37.pow(2)
        tmp_37 = None
        tmp_39 = tmp_38.mean(-1, keepdim=True)
        tmp_38 = None
        tmp_40 = tmp_35 - tmp_36
        tmp_35 = tmp_36 = None
        tmp_41 = tmp_39 + 1e-07
        tmp_39 = None
        tmp_42 = torch.sqrt(tmp_41)
        tmp_41 = None
        tmp_43 = tmp_40 / tmp_42
        tmp_40 = tmp_42 = None
        tmp_44 = tmp_43.to(torch.bfloat16)
        tmp_43 = None
        tmp_45 = in_5 * tmp_44
        tmp_44 = None
        tmp_46 = tmp_45 + in_6
        tmp_45 = None
        tmp_47 = torch.nn.functional.linear(tmp_46, in_7, in_8)
        tmp_48 = torch.nn.functional.gelu(tmp_47)
        tmp_47 = None
        tmp_49 = torch.nn.functional.linear(tmp_48, in_9, in_10)
        tmp_48 = None
        tmp_50 = torch.nn.functional.dropout(tmp_49, 0.1, False, False)
        tmp_49 = None
        tmp_51 = tmp_50 + tmp_46
        tmp_46 = tmp_50 = None
        tmp_52 = tmp_51.float()
        tmp_51 = None
        tmp_53 = tmp_52.mean(-1, keepdim=True)
        tmp_54 = tmp_52 - tmp_53
        tmp_55 = tmp_54.pow(2)
        tmp_54 = None
        tmp_56 = tmp_55.mean(-1, keepdim=True)
        tmp_55 = None
        tmp_57 = tmp_52 - tmp_53
        tmp_52 = tmp_53 = None
        tmp_58 = tmp_56 + 1e-07
        tmp_56 = None
        tmp_59 = torch.sqrt(tmp_58)
        tmp_58 = None
        tmp_60 = tmp_57 / tmp_59
        tmp_57 = tmp_59 = None
        tmp_61 = tmp_60.to(torch.bfloat16)
        tmp_60 = None
        tmp_62 = in_11 * tmp_61
        tmp_61 = None
        tmp_63 = tmp_62 + in_12
        tmp_62 = None
        return (tmp_63,)