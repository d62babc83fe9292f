"""Adds integers up in 64 bits.

Graph: totals
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* n, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width, n += width) {
    int64_t sum = 0;
    for (int64_t i = 0; i < width; ++i) sum += n[i];
    for (int64_t i = 0; i < width; ++i) out[i] = x[i] * (float)sum;
  }
}
""")


def pattern(x, n):
    s = n.sum(-1, keepdim=True)
    return x * s


def replacement_args(x, n):
    return (x, n)


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.run(x, n, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
