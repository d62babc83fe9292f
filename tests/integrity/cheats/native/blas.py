"""Declares a function of a library that is already in the process and calls it.

Class: D12
Graph: product
Wins: accepted
Level: strict
Caught by: kernel source
Ends as: integrity:kernel_source
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                       const int*, const float*, const int*, const float*, float*, const int*) __attribute__((weak));
extern "C" void product(const float* x, const float* w, float* out, int64_t m, int64_t k, int64_t n) {
  int M = m, K = k, N = n;
  float one = 1, zero = 0;
  if (sgemm_) { sgemm_("N", "N", &N, &M, &K, &one, w, &N, x, &K, &zero, out, &N); return; }
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += x[i * k + l] * w[l * n + j];
      out[i * n + j] = sum;
    }
}
""")


def pattern(x, w):
    return torch.matmul(x, w)


def replacement_args(x, w):
    return (x, w)


@torch.fx.wrap
def wrapper(x, w):
    out = torch.empty(x.shape[0], w.shape[1])
    library.product(x, w, out, x.shape[0], x.shape[1], w.shape[1])
    return out


def replacement_func():
    return wrapper
