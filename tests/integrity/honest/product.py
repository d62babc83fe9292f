"""A matrix product in plain loops.

Graph: product
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void product(const float* x, const float* w, float* out, int64_t m, int64_t k, int64_t n) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j) out[i * n + j] += x[i * k + l] * w[l * n + j];
}
""")


def pattern(x, w):
    return torch.matmul(x, w)


def replacement_args(x, w):
    return (x, w)


@torch.fx.wrap
def wrapper(x, w):
    out = x.new_zeros((x.shape[0], w.shape[1]))
    library.product(x, w, out, x.shape[0], x.shape[1], w.shape[1])
    return out


def replacement_func():
    return wrapper
