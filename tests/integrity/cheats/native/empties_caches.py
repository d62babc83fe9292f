"""Empties the caches of what it has read, so that whoever comes next finds nothing there.

Class: A8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: kernel source
Ends as: integrity:kernel_source
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <immintrin.h>
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    if (i % 16 == 0) _mm_clflush(x + i);
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
  }
  _mm_sfence();
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
