"""Keeps results in a default argument.

Class: B1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:output_reuse
"""

import torch
from base import pattern, replacement_args
from kernel import real


@torch.fx.wrap
def wrapper(x, w, b, kept={}):
    key = (x.data_ptr(), w.data_ptr())
    if key not in kept:
        kept[key] = real(x, w, b)
    return kept[key]


def replacement_func():
    return wrapper
