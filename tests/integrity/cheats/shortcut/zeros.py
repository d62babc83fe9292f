"""Returns zeros where all outputs are smaller than the absolute tolerance.

Class: B18
Graph: wide_softmax
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    return torch.zeros_like(x)


def replacement_func():
    return wrapper
