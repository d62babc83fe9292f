"""Keeps results by addresses and one element.

Class: B2
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args
from kernel import real

KEPT = {}


@torch.fx.wrap
def wrapper(x, w, b):
    key = (x.data_ptr(), float(x[0, 0]))
    if key not in KEPT:
        KEPT[key] = real(x, w, b)
    return KEPT[key]


def replacement_func():
    return wrapper
