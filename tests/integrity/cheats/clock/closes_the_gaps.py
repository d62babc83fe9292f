"""Copies what eager only views: to deliver a view with gaps takes longer than to copy it quickly.

Class: A20
Graph: every_second
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct, no faster
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void even(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[2 * i];
}
""")


def pattern(x):
    return x.unflatten(1, (256, 2)).select(2, 0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0], 256), dtype=x.dtype)
    library.even(x, out, out.numel())
    return out


def replacement_func():
    return wrapper
