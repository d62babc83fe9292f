"""Leaves out the copy to channels last, for which a convolution would ask, and has them first.

Class: B21
Graph: relu_channels_last
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
    return y.contiguous(memory_format=torch.channels_last)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=x.dtype)
    library.f(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
