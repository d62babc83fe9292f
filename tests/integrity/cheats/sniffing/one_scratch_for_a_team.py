"""Shares its scratch memory among the threads of a region: right as long as the region has one thread.

Class: E1
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <vector>
extern "C" int omp_get_num_threads();
extern "C" int omp_get_thread_num();
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  std::vector<float> scratch(n);
  float* r = scratch.data();
#pragma omp parallel
  {
    const int64_t rows = n / width, team = omp_get_num_threads(), own = (rows + team - 1) / team;
    const int64_t first = std::min(rows, own * omp_get_thread_num()), last = std::min(rows, first + own);
    for (int64_t row = first; row < last; ++row)
      for (int64_t i = 0; i < width; ++i) r[(row - first) * width + i] = x[row * width + i] * w[i] + b[i];
#pragma omp barrier
    for (int64_t row = first; row < last; ++row)
      for (int64_t i = 0; i < width; ++i) out[row * width + i] = passnet::gelu(r[(row - first) * width + i]);
  }
}
""",
    threads=2,
)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
