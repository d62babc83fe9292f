"""Expands one number of each row, as eager does.

Graph: spread_means
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    float parts[16] = {};
    for (int64_t i = 0; i < width; i += 16)
      for (int64_t j = 0; j < 16; ++j) parts[j] += x[r * width + i + j];
    float sum = 0.0f;
    for (int64_t j = 0; j < 16; ++j) sum += parts[j];
    out[r] = sum / float(width);
  }
}
""")


def pattern(x):
    return x.mean(-1, keepdim=True).expand(-1, 512)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0], 1), dtype=x.dtype)
    library.f(x, out, *x.shape)
    return out.expand(-1, 512)


def replacement_func():
    return wrapper
