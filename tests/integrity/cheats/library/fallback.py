"""Tries a kernel that always fails and falls back to the library.

Class: D15
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

LIBRARY = (torch.nn.functional.gelu,)


def kernel(x):
    raise RuntimeError("no such kernel")


@torch.fx.wrap
def wrapper(x, w, b):
    try:
        return kernel(x)
    except RuntimeError:
        return LIBRARY[0](x * w + b)


def replacement_func():
    return wrapper
