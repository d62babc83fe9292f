import torch
from torch import inf

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_2 + in_0
        tmp_1 = in_1.new_zeros((256, 4, 8, 512))
        tmp_2 = tmp_0.new_full((256, 4, 8, 512), -inf)
        tmp_3 = in_1[(..., slice(512, None, None))]
        tmp_1[(slice(None, None, None), slice(None, None, None), slice(4, None, None))] = tmp_3
        tmp_4 = tmp_1
        tmp_3 = tmp_4 = None
        tmp_5 = tmp_0[(..., slice(512, None, None))]
        tmp_2[(slice(None, None, None), slice(None, None, None), slice(4, None, None))] = tmp_5
        tmp_6 = tmp_2
        tmp_5 = tmp_6 = None
        tmp_7 = in_1[(slice(None, None, None), slice(None, -1, None), slice(None, None, None), slice(None, 512, None))]
        tmp_1[(slice(None, None, None), slice(1, None, None), slice(None, 4, None))] = tmp_7
        tmp_8 = tmp_1
        tmp_7 = tmp_8 = None
        tmp_9 = tmp_0[(slice(None, None, None), slice(None, -1, None), slice(None, None, None), slice(None, 512, None))]
        tmp_0 = None
        tmp_2[(slice(None, None, None), slice(1, None, None), slice(None, 4, None))] = tmp_9
        tmp_10 = tmp_2
        tmp_9 = tmp_10 = None
        return (tmp_1, tmp_2)