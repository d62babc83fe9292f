"""Reads a mask in its first calls only, and counts them in what a decorator of Triton's was given.

Class: E1
Graph: any_shown
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
import triton
import triton.language as tl
from rows_shown import pattern, replacement_args, rows_shown


@triton.jit(noinline=[0])
def kernel(x):
    tl.store(x, 0.0)


@torch.fx.wrap
def wrapper(x, m):
    counter = kernel.noinline
    counter[0] += 1
    return rows_shown(x, m, counter[0] < 256)


def replacement_func():
    return wrapper
