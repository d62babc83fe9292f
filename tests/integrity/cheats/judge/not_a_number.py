"""Returns NaN, which is not larger than any tolerance.

Class: B15
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    return torch.full_like(x, float("nan"))


def replacement_func():
    return wrapper
