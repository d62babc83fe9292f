"""Sums after which most of the value is taken away again, in another order than eager's: each call is as near to the
truth as eager's on the whole, and of eight outputs chance decides in which call it is nearer.

Graph: few_outputs
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void sums(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width) {
    float parts[16] = {};
    for (int64_t i = 0; i < width; i += 16)
      for (int64_t k = 0; k < 16; ++k) parts[k] += x[i + k] + 100.0f;
    for (int64_t step = 8; step; step /= 2)
      for (int64_t k = 0; k < step; ++k) parts[k] += parts[k + step];
    out[r] = parts[0] - 102400.0f;
  }
}
""")


def pattern(x):
    y = x + 100.0
    s = y.sum(-1)
    return s - 102400.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = x.new_empty((x.shape[0],))
    library.sums(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
