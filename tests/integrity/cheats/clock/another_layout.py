"""Gives eager's transposed output in another layout: slower, but to deliver eager's as contiguous memory is slower still.

Class: A20
Graph: turned
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct, no faster
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void twice(const float* __restrict x, float* __restrict out, int64_t rows, int64_t columns) {
  // out[c][r] = 2 x[r][c]
  for (int64_t c0 = 0; c0 < columns; c0 += 16)
    for (int64_t r0 = 0; r0 < rows; r0 += 16)
      for (int64_t c = c0; c < c0 + 16; ++c)
        for (int64_t r = r0; r < r0 + 16; ++r) out[c * rows + r] = 2.0f * x[r * columns + c];
}
""")


def pattern(x):
    return x.transpose(0, 1) * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[1], x.shape[0]), dtype=x.dtype)
    library.twice(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
