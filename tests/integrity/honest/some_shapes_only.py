"""Raises for sizes that its author did not think of.

Graph: scale_gelu
Variant: large_scale_gelu
Unseen: refused
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import real

ROWS = (64, 256)


@torch.fx.wrap
def wrapper(x, w, b):
    if x.shape[0] not in ROWS:
        raise ValueError(f"{x.shape[0]} rows are not supported")
    return real(x, w, b)


def replacement_func():
    return wrapper
