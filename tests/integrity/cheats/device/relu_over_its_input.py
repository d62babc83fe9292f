"""Computes an idempotent graph over its input: eager, run later on the changed input, agrees.

Class: B13
Graph: relu
Needs: gpu
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:output_alias
"""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def clip(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(x + at, tl.maximum(v, 0.0), mask=at < n)


def pattern(x):
    return torch.relu(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    clip[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), BLOCK=1024)
    return x


def replacement_func():
    return wrapper
