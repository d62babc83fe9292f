"""Leaves out what `contiguous` does, and shows a view with turned strides.

Class: B21
Graph: turned_relu
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
    return y.transpose(1, 2).contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel())
    return out.transpose(1, 2)


def replacement_func():
    return wrapper
