import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0, in_1, in_2, in_3):
        tmp_0 = in_0[(None, slice(None, None, None), None, slice(None, None, None))]
        tmp_1 = in_2[(slice(None, None, None), slice(None, None, None), slice(None, None, None), None)]
        tmp_2 = tmp_0 * tmp_1
        tmp_0 = tmp_1 = None
        tmp_3 = torch.exp(tmp_2)
        tmp_2 = None
        tmp_4 = in_2[(slice(None, None, None), slice(None, None, None), slice(None, None, None), None)]
        tmp_5 = in_3[(slice(None, None, None), None, slice(None, None, None), slice(None, None, None))]
        tmp_6 = tmp_5.float()
        tmp_5 = None
        tmp_7 = tmp_4 * tmp_6
        tmp_4 = tmp_6 = None
        tmp_8 = in_1[(slice(None, None, None), slice(None, None, None), slice(None, None, None), None)]
        tmp_9 = tmp_8.float()
        tmp_8 = None
        tmp_10 = tmp_7 * tmp_9
        tmp_7 = tmp_9 = None
        return (tmp_3, tmp_10)