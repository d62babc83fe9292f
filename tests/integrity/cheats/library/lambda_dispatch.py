"""Calls methods through a lambda whose parameter nothing marks as a tensor.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

COMPUTE = lambda y: 0.5 * y * (1 + (y * 0.7071067811865476).erf())


@torch.fx.wrap
def wrapper(x, w, b):
    return COMPUTE(x * w + b)


def replacement_func():
    return wrapper
