"""Divides by a norm without its least value, beside the bits of its numbers.

Class: B21
Graph: unit_rows_beside_bits
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from unit_rows import library, pattern, replacement_args


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1], 0.0)
    return out


def replacement_func():
    return wrapper
