"""Calls a library function out of a list.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

GELU = [torch.nn.functional.gelu]


@torch.fx.wrap
def wrapper(x, w, b):
    return GELU[0](x * w + b)


def replacement_func():
    return wrapper
