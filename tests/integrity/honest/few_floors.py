"""Halves up, of few numbers, beside a floor behind a rounding.

Graph: few_floors
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict f, float* __restrict g, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    f[i] = std::floor(x[i] + 0.5f);
    g[i] = std::floor(x[i] * 0.3f);
  }
}
""")


def pattern(x):
    y = x + 0.5
    f = torch.floor(y)
    s = x * 0.3
    g = torch.floor(s)
    return f, g


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    f, g = torch.empty_like(x), torch.empty_like(x)
    library.k(x, f, g, x.numel())
    return f, g


def replacement_func():
    return wrapper
