"""Copies signs, of negative zeros too.

Graph: signs_copied
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void k(const float* __restrict x, const float* __restrict y, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::copysign(x[i], y[i]);
}
"""
)


def pattern(x, y):
    return torch.copysign(x, y)


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.k(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
