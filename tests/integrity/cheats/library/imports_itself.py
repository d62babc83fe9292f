"""Imports from itself, under another name, the function that only its pattern calls, and that is read as a pattern.

Class: D5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from torch import addcmul
from torch.nn.functional import gelu


def whole(x, w, b):
    return gelu(addcmul(b, x, w))


def pattern(x, w, b):
    if 0:
        whole(x, w, b)
    return torch.nn.functional.gelu(x * w + b)


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    from imports_itself import whole as kernel

    return kernel(x, w, b)


def replacement_func():
    return wrapper
