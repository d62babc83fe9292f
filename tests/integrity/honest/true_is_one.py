"""Writes 1 for true.

Graph: above_a_half
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, uint8_t* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] > 0.5f ? 1 : 0;
}
""")


def pattern(x):
    return x > 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=torch.bool)
    library.f(x, out.view(torch.uint8), x.numel())
    return out


def replacement_func():
    return wrapper
