"""Adds to each row the row of a table that its kind says, though all kinds were 0 or small when the task was recorded.

Graph: typed, nearby
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const int64_t* kinds, const float* table, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* __restrict row = table + kinds[r] * width;
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = x[r * width + i] + row[i];
  }
}
""")


def pattern(x, kinds, w):
    rows = torch.nn.functional.embedding(kinds, w)
    return x + rows


def replacement_args(x, kinds, w):
    return (x, kinds, w)


@torch.fx.wrap
def wrapper(x, kinds, w):
    out = torch.empty_like(x)
    library.f(x, kinds, w, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
