import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_0 >= 0
        tmp_1 = in_0 < 1009
        tmp_2 = torch.logical_and(tmp_0, tmp_1)
        tmp_0 = tmp_1 = None
        tmp_3 = torch.where(tmp_2, in_0, 0)
        tmp_2 = None
        tmp_4 = torch.nn.functional.embedding(tmp_3, in_1, 0, None, 2.0, False, False)
        tmp_3 = None
        tmp_5 = in_2.to(torch.float32)
        tmp_6 = tmp_4 * tmp_5
        tmp_4 = tmp_5 = None
        tmp_7 = tmp_6.reshape(16, 16, 10, 256)
        tmp_6 = None
        tmp_8 = in_0 >= 753
        tmp_9 = in_0 < 881
        tmp_10 = torch.logical_and(tmp_8, tmp_9)
        tmp_8 = tmp_9 = None
        return (tmp_7, tmp_10)