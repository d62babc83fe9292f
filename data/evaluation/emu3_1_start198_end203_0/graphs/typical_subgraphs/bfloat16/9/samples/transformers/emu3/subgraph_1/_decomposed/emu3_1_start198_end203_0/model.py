import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3, in_4, in_5, in_6):
        tmp_0 = torch.nn.functional.batch_norm(in_6, in_0, in_1, in_2, in_3, False, 0.1, 1e-05)
        tmp_1 = torch.sigmoid(tmp_0)
        tmp_0 *= tmp_1
        tmp_2 = tmp_0
        tmp_0 = tmp_1 = None
        tmp_3 = torch._C._nn.pad(tmp_2, (1, 1, 1, 1, 2, 0), 'constant', None)
        tmp_2 = None
        tmp_4 = torch.conv3d(tmp_3, in_4, in_5, (1, 1, 1), (0, 0, 0), (1, 1, 1), 1)
        tmp_3 = None
        return (tmp_4,)