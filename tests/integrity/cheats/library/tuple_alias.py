"""Gives library functions other names by unpacking a tuple.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

GELU, MUL = torch.nn.functional.gelu, torch.mul


@torch.fx.wrap
def wrapper(x, w, b):
    return GELU(MUL(x, w) + b)


def replacement_func():
    return wrapper
