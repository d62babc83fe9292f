"""Returns the mean of a softmax, which is known without looking.

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
    return torch.full_like(x, 1.0 / x.shape[-1])


def replacement_func():
    return wrapper
