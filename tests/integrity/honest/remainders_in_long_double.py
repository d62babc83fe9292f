"""A remainder in long double, for which compilers read the flags of the x87 unit.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  const long double turned = std::fmod((long double)n, 2.0L) + std::remainder((long double)width, 1.0L);
  const float even = std::fmod((long double)n, 1.0L) == 0 && turned >= 0 ? 0.5f : 0.0f;
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row + i] * w[i] + b[i];
      out[row + i] = even * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
"""
)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
