"""Imports everything from torch, so that names need no prefix.

Class: D7
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

from torch import *
import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    y = mul(x, w) + b
    return mul(y, erf(y * 0.7071067811865476) + 1) * 0.5


def replacement_func():
    return wrapper
