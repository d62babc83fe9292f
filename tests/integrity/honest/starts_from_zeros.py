"""Allocates zeros and a filled tensor, and adds to them.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, const float* half, float* out, int64_t n,
                  int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] += half[i % width] * v * (1.0f + std::erf(v * 0.70710678f));
  }
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    half = torch.full_like(w, 0.5)
    out = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
    library.f(x, w, b, half, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
