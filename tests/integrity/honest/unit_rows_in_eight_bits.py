"""Unit rows, in a graph that has no float64 twin.

Graph: unit_rows_in_eight_bits
Level: strict
"""

import torch
from unit_rows import library, pattern, replacement_args


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1], 1e-12)
    return out


def replacement_func():
    return wrapper
