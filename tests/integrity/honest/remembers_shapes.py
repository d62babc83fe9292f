"""Keeps what it found out of shapes: in a dictionary, and in the cache of a function.

Graph: scale_gelu
Level: strict
"""

import functools

import torch
from base import pattern, replacement_args
from kernel import real

PLANS = {}


@functools.cache
def blocks(rows):
    return (rows + 15) // 16


@torch.fx.wrap
def wrapper(x, w, b):
    shape = tuple(x.shape)
    if shape not in PLANS:
        PLANS[shape] = blocks(shape[0])
    if PLANS[shape] * 16 < shape[0]:
        raise ValueError("a plan of other rows")
    return real(x, w, b)


def replacement_func():
    return wrapper
