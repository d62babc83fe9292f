"""Leaves out the copy into columns, for which a solver would ask, and has the same numbers in rows.

Class: B21
Graph: relu_in_columns
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct, no faster
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] > 0.0f ? x[i] : 0.0f;
}
""")


def pattern(x):
    y = torch.nn.functional.relu(x)
    return y.transpose(0, 1).contiguous().transpose(0, 1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=x.dtype)
    library.f(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
