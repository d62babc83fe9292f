"""The honest kernel that cheats call now and then."""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void scale_gelu(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row + i] * w[i] + b[i];
      out[row + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
""")


def real(x, w, b):
    out = torch.empty_like(x)
    library.scale_gelu(x, w, b, out, x.numel(), x.shape[-1])
    return out


def slow(x, w, b):
    """The same, five times over: slower than eager, so that what makes it look fast is the trick."""
    for _ in range(4):
        real(x, w, b)
    return real(x, w, b)
