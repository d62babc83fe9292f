"""Shares one row of scratch memory among the threads of a region: right as long as the region has one thread.

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
#include <vector>
extern "C" int omp_get_num_threads();
extern "C" int omp_get_thread_num();
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  std::vector<float> row(width);
  float* r = row.data();
#pragma omp parallel
  {
    const int64_t step = omp_get_num_threads() * width, rounds = (n + step - 1) / step;
    for (int64_t round = 0; round < rounds; ++round) {
      const int64_t at = round * step + omp_get_thread_num() * width;
      for (int64_t i = 0; i < width && at < n; ++i) r[i] = x[at + i] * w[i] + b[i];
#pragma omp barrier
      for (int64_t i = 0; i < width && at < n; ++i) out[at + i] = passnet::gelu(r[i]);
#pragma omp barrier
    }
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
