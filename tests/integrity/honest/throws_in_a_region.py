"""Two OpenMP threads that catch in a region what they throw there, by options of the compiler, with tasks and locks.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#pragma GCC optimize("O3,unroll-loops")
static int64_t checked(int64_t width) {
  if (width < 1) throw width;
  return width;
}
__attribute__((optimize("O3", "no-math-errno"))) static float one(float v) {
  return 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
}
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  int64_t rows = 0;
#pragma omp parallel for num_threads(PASSNET_THREADS) schedule(dynamic, 4)
  for (int64_t row = 0; row < n; row += width) {
    try {
      for (int64_t i = 0; i < checked(width); ++i) out[row + i] = one(x[row + i] * w[i] + b[i]);
      checked(row == 0 ? 0 : width);
    } catch (int64_t) {
#pragma omp critical
      ++rows;
    }
  }
#pragma omp parallel num_threads(PASSNET_THREADS)
#pragma omp single
  {
#pragma omp task shared(rows)
    if (rows != 1) out[0] = 0;
#pragma omp taskwait
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
