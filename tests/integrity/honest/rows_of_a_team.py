"""A team of any size. Each thread has a row of scratch memory of its own, and takes rows in turn.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
extern "C" int omp_get_max_threads();
extern "C" int omp_get_thread_num();
extern "C" int omp_get_num_threads();
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  std::vector<float> rows(omp_get_max_threads() * width);
#pragma omp parallel
  {
    float* row = rows.data() + omp_get_thread_num() * width;
    for (int64_t at = omp_get_thread_num() * width; at < n; at += omp_get_num_threads() * width) {
      for (int64_t i = 0; i < width; ++i) row[i] = x[at + i] * w[i] + b[i];
      for (int64_t i = 0; i < width; ++i) out[at + i] = passnet::gelu(row[i]);
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
