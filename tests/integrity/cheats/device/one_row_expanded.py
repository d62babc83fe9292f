"""One row, expanded by a stride of 0: the right shape, with a fraction of the work.

Class: B14
Graph: equal_rows
Needs: gpu
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:lazy_output
"""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def twice(b, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, 2.0 * tl.load(b + at, mask=at < n), mask=at < n)


def pattern(x, b):
    return (x * 0.0 + b) * 2.0


def replacement_args(x, b):
    return (x, b)


@torch.fx.wrap
def wrapper(x, b):
    out = torch.empty(1, b.shape[0], device=b.device)
    twice[(1,)](b, out, b.shape[0], BLOCK=512)
    return out.expand(x.shape)


def replacement_func():
    return wrapper
