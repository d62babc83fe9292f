"""Works for inputs of ordinary size and guesses for others, which a single distribution never shows.

Class: B21
Graph: gentle_scale_gelu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = v > 3.0f ? 3.0f : 0.5f * v * (1.0f + std::erf(0.70710678f * v));
  }
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
