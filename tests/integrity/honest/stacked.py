"""Writes both halves of a stack.

Graph: stacked
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i];
  std::memcpy(out + n, y, n * sizeof(float));
}
""")


def pattern(x, y):
    return torch.stack([x * 2.0, y])


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty((2, x.shape[0], x.shape[1]), dtype=x.dtype, device=x.device)
    library.f(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
