"""Raises for what it does not support, and catches what its own helper raises.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import library


def width_of(x, w):
    if x.shape[-1] != w.shape[0]:
        raise ValueError("the row and the weight differ")
    return w.shape[0]


@torch.fx.wrap
def wrapper(x, w, b):
    try:
        width = width_of(x, w)
    except ValueError as error:
        raise RuntimeError("unsupported") from error
    out = torch.empty_like(x)
    library.scale_gelu(x, w, b, out, x.numel(), width)
    return out


def replacement_func():
    return wrapper
