import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_8, in_9, in_10, in_11, in_12, in_13, in_14, in_15, in_16, in_17, in_18, in_19, in_20, in_21, in_22, in_23, in_24, in_25, in_26, in_27, in_28, in_29, in_30, in_31, in_32, in_33, in_34, in_35, in_36, in_37):
        tmp_0 = torch.cat([in_34, in_35, in_36, in_37], dim=-1)
        tmp_1 = tmp_0.permute(0, 3, 1, 2)
        tmp_0 = None
        tmp_2 = tmp_1.contiguous()
        tmp_1 = None
        tmp_3 = in_33 - in_32
        tmp_4 = torch.conv2d(tmp_2, in_0, in_1, (1, 1), (0, 0), (1, 1), 1)
        tmp_2 = None
        tmp_5 = torch.nn.functional.relu(tmp_4, inplace=True)
        tmp_4 = None
        tmp_6 = torch.conv2d(tmp_5, in_2, in_3, (1, 1), (1, 1), (1, 1), 1)
        tmp_5 = None
        tmp_7 = torch.nn.functional.relu(tmp_6, inplace=True)
        tmp_6 = None
        tmp_8 = torch.conv2d(tmp_3, in_4, in_5, (1, 1), (3, 3), (1, 1), 1)
        tmp_9 = torch.nn.functional.relu(tmp_8, inplace=True)
        tmp_8 = None
        tmp_10 = torch.conv2d(tmp_9, in_6, in_7, (1, 1), (1, 1), (1, 1), 1)
        tmp_9 = None
        tmp_11 = torch.nn.functional.relu(tmp_10, inplace=True)
        tmp_10 = None
        tmp_12 = torch.cat([tmp_7, tmp_11], dim=1)
        tmp_7 = tmp_11 = None
        tmp_13 = torch.conv2d(tmp_12, in_8, in_9, (1, 1), (1, 1), (1, 1), 1)
        tmp_12 = None
        tmp_14 = torch.nn.functional.relu(tmp_13, inplace=True)
        tmp_13 = None
        tmp_15 = torch.cat([tmp_14, tmp_3], dim=1)
        tmp_3 = tmp_14 = None
        tmp_16 = torch.cat([in_31, tmp_15], dim=1)
        tmp_15 = None
        tmp_17 = torch.cat([in_30, tmp_16], dim=1)
        tmp_18 = torch.conv2d(tmp_17, in_10, in_11, (1, 1), (0, 2), (1, 1), 1)
        tmp_19 = torch.sigmoid(tmp_18)
        tmp_18 = None
        tmp_20 = torch.conv2d(tmp_17, in_12, in_13, (1, 1), (0, 2), (1, 1), 1)
        tmp_17 = None
        tmp_21 = torch.sigmoid(tmp_20)
        tmp_20 = None
        tmp_22 = tmp_21 * in_30
        tmp_21 = None
        tmp_23 = torch.cat([tmp_22, tmp_16], dim=1)
        tmp_22 = None
        tmp_24 = torch.conv2d(tmp_23, in_14, in_15, (1, 1), (0, 2), (1, 1), 1)
        tmp_23 = None
        tmp_25 = torch.tanh(tmp_24)
        tmp_24 = None
        tmp_26 = (1) - tmp_19
        tmp_27 = tmp_26 * in_30
        tmp_26 = None
        tmp_28 = tmp_19 * tmp_25
        tmp_19 = tmp_25 = None
        tmp_29 = tmp_27 + tmp_28
        tmp_27 = tmp_28 = None
        tmp_30 = torch.cat([tmp_29, tmp_16], dim=1)
        tmp_31 = torch.conv2d(tmp_30, in_16, in_17, (1, 1), (2, 0), (1, 1), 1)
        tmp_32 = torch.sigmoid(tmp_31)
        tmp_31 = None
        tmp_33 = torch.conv2d(tmp_30, in_18, in_19, (1, 1), (2, 0), (1, 1), 1)
        tmp_30 = None
        tmp_34 = torch.sigmoid(tmp_33)
        tmp_33 = None
        tmp_35 = tmp_34 * tmp_29
        tmp_34 = None
        tmp_36 = torch.cat([tmp_35, tmp_16], dim=1)
        tmp_16 = tmp_35 = None
        tmp_37 = torch.conv2d(tmp_36, in_20, in_21, (1, 1), (2, 0), (1, 1), 1)
        tmp_36 = None
        tmp_38 = torch.tanh(tmp_37)
        tmp_37 = None
        tmp_39 = (1) - tmp_32
        tmp_40 = tmp_39 * tmp_29
        tmp_29 = tmp_39 = None
        tmp_41 = tmp_32 * tmp_38
        tmp_32 = tmp_38 = None
        tmp_42 = tmp_40 + tmp_41
        tmp_40 = tmp_41 = None
        tmp_43 = torch.conv2d(tmp_42, in_22, in_23, (1, 1), (1, 1), (1, 1), 1)
        tmp_44 = torch.nn.functional.relu(tmp_43, inplace=True)
        tmp_43 = None
        tmp_45 = torch.conv2d(tmp_44, in_24, in_25, (1, 1), (1, 1), (1, 1), 1)
        tmp_44 = None
        tmp_46 = in_33 + tmp_45
        tmp_45 = None
        tmp_47 = torch.conv2d(tmp_42, in_26, in_27, (1, 1), (1, 1), (1, 1), 1)
        tmp_48 = torch.nn.functional.relu(tmp_47, inplace=True)
        tmp_47 = None
        tmp_49 = torch.conv2d(tmp_48, in_28, in_29, (1, 1), (0, 0), (1, 1), 1)
        tmp_48 = None
        tmp_50 = (0.25) * tmp_49
        tmp_49 = None
        tmp_51 = tmp_46 - in_32
        tmp_52 = tmp_50.view(256, 1, 9, 8, 8, 4, 4)
        tmp_50 = None
        tmp_53 = torch.softmax(tmp_52, dim=2)
        tmp_52 = None
        tmp_54 = (8) * tmp_51
        tmp_51 = None
        tmp_55 = torch.nn.functional.unfold(tmp_54, kernel_size=3, padding=1)
        tmp_54 = None
        tmp_56 = tmp_55.view(256, 2, 9, 1, 1, 4, 4)
        tmp_55 = None
        tmp_57 = tmp_53 * tmp_56
        tmp_53 = tmp_56 = None
        tmp_58 = torch.sum(tmp_57, dim=2)
        tmp_57 = None
        tmp_59 = tmp_58.permute(0, 1, 4, 2, 5, 3)
        tmp_58 = None
        tmp_60 = tmp_59.reshape(256, 2, 32, 32)
        tmp_59 = None
        return (tmp_42, tmp_46, tmp_60)