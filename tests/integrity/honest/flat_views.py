"""Works on flat views of its tensors and gives a view back.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import library


@torch.fx.wrap
def wrapper(x, w, b):
    flat = torch.empty(x.numel(), dtype=x.dtype)
    library.scale_gelu(x.view(-1), w, b, flat, x.numel(), w.numel())
    return flat.view(x.shape)


def replacement_func():
    return wrapper
