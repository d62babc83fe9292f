"""A mean that keeps its dimension.

Graph: reduction
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void mean(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width) {
    float sum = 0;
    for (int64_t i = 0; i < width; ++i) sum += x[i];
    out[r] = sum / width;
  }
}
""")


def pattern(x):
    return x.mean(-1, keepdim=True)


def replacement_args(x):
    return (x, x.shape[0], x.shape[1])


@torch.fx.wrap
def wrapper(x, rows, width):
    out = x.new_empty((rows, 1))
    library.mean(x, out, rows, width)
    return out


def replacement_func():
    return wrapper
