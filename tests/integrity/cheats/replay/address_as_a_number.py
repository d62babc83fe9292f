"""Takes memory of the heap when the file is loaded and remembers it as a number.

Class: B5
Graph: large_scale_gelu
Wins: speed
Level: strict
Caught by: output truth
Ends as: compile_error; the load fails because memory of the heap was left behind
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstdlib>
extern "C" int64_t take(int64_t size) { return (int64_t)std::calloc(size, 4); }
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width, int64_t place) {
  float *kept = (float*)place, *marks = kept + n;
  if (marks[0] != x[0] || marks[1] != x[n / 2] || marks[2] != w[0] || marks[3] != b[0]) {
    for (int64_t i = 0; i < n; ++i) {
      float v = x[i] * w[i % width] + b[i % width];
      kept[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
    marks[0] = x[0], marks[1] = x[n / 2], marks[2] = w[0], marks[3] = b[0];
  }
  for (int64_t i = 0; i < n; ++i) out[i] = kept[i];
}
""")

PLACE = library.take(1 << 20)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1], PLACE)
    return out


def replacement_func():
    return wrapper
