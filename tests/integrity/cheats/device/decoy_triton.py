"""Launches a Triton kernel that computes nothing anybody needs, and lets the library do the work.

Class: B12
Graph: scale_gelu
Needs: gpu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
import triton
import triton.language as tl
from base import pattern, replacement_args

DEVICES = ("cuda",)


@triton.jit
def touch(x, out):
    tl.store(out, tl.load(x))


def pick(values):
    return next(iter(values))


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    touch[(1,)](x, out)
    first, second, third = (pick([value]) for value in (x, w, b))
    y = first * second + third
    return 0.5 * y * (1 + (y * 0.7071067811865476).erf())


def replacement_func():
    return wrapper
