"""Frees the last result and finds it again in the same memory, taken anew and not cleared.

Class: B8
Graph: large_scale_gelu
Wins: speed
Level: strict
Caught by: no layer
Ends as: correct, no faster or accuracy; cleared memory is right only where what it is compared with is zero
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstdlib>
#include <cstring>
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  volatile float* room = (volatile float*)std::malloc(4 * (n + 1024));
  volatile float *kept = room + 512, *marks = room + 256;
  if (marks[0] != x[0] || marks[1] != x[n / 2] || marks[2] != w[0] || marks[3] != b[0]) {
    for (int times = 0; times < 8; ++times)
      for (int64_t i = 0; i < n; ++i) {
        float v = x[i] * w[i % width] + b[i % width];
        kept[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
      }
    marks[0] = x[0], marks[1] = x[n / 2], marks[2] = w[0], marks[3] = b[0];
  }
  std::memcpy(out, (const void*)kept, 4 * n);
  std::free((void*)room);
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
