"""What cheats on a product share: its pattern, and a product of their own, which is slow."""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void product(const float* x, const float* w, float* out, int64_t m, int64_t k, int64_t n) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < k; ++p) sum += x[i * k + p] * w[p * n + j];
      out[i * n + j] = sum;
    }
}
""")


def pattern(x, w):
    return torch.matmul(x, w)


def replacement_args(x, w):
    return (x, w)
