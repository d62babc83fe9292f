"""Takes methods from the class of tensors.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

ERF = torch.Tensor.erf


@torch.fx.wrap
def wrapper(x, w, b):
    y = x * w + b
    return 0.5 * y * (1 + ERF(y * 0.7071067811865476))


def replacement_func():
    return wrapper
