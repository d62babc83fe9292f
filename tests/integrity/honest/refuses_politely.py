"""Raises for what it does not support, and catches what its own helper raises.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row + i] * w[i] + b[i];
      out[row + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
""")


def width_of(x, w):
    if x.shape[-1] != w.shape[0]:
        raise ValueError("the row and the weight differ")
    return w.shape[0]


@torch.fx.wrap
def wrapper(x, w, b):
    try:
        width = width_of(x, w)
    except ValueError as error:
        raise RuntimeError("unsupported") from error
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), width)
    return out


def replacement_func():
    return wrapper
