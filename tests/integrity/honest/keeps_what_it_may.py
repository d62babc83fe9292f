"""Keeps what a pass may keep: kernels by type, plans in a cache, in an object, in a closure and in a default.

Graph: scale_gelu
Level: strict
"""

import dataclasses
import functools

import torch
from base import pattern, replacement_args
from kernel import library

KERNELS = {torch.float32: library.scale_gelu}


@dataclasses.dataclass
class Plan:
    count: int
    width: int
    text: str = "{} elements in rows of {}".format(1, 2)


@functools.lru_cache
def plan(count, width):
    return Plan(count, width)


def chooser():
    chosen = {}

    def choose(dtype, kernels=tuple(KERNELS.items())):
        if dtype not in chosen:
            chosen[dtype] = dict(kernels)[dtype]
        return chosen[dtype]

    return choose


choose = chooser()


@torch.fx.wrap
def wrapper(x, w, b):
    sizes = plan(x.numel(), x.shape[-1])
    out = torch.empty_like(x)
    choose(x.dtype)(x, w, b, out, sizes.count, sizes.width)
    return out


def replacement_func():
    return wrapper
