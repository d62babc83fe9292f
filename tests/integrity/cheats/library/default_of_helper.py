"""Binds a library function in a helper's default argument.

Class: D3
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args


def compute(y, f=torch.nn.functional.gelu):
    return f(y)


@torch.fx.wrap
def wrapper(x, w, b):
    return compute(x * w + b)


def replacement_func():
    return wrapper
