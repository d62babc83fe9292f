"""Turns tile by tile what is to be contiguous.

Graph: turned_relu
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, float* __restrict out, int64_t batch, int64_t rows, int64_t columns) {
  for (int64_t b = 0; b < batch; ++b, x += rows * columns, out += rows * columns)
    for (int64_t c0 = 0; c0 < columns; c0 += 16)
      for (int64_t r0 = 0; r0 < rows; r0 += 16) {
        float tile[16][16];
        for (int64_t r = 0; r < 16; ++r)
          for (int64_t c = 0; c < 16; ++c) tile[c][r] = x[(r0 + r) * columns + c0 + c];
        for (int64_t c = 0; c < 16; ++c)
          for (int64_t r = 0; r < 16; ++r) out[(c0 + c) * rows + r0 + r] = tile[c][r] > 0.0f ? tile[c][r] : 0.0f;
      }
}
""")


def pattern(x):
    y = torch.nn.functional.relu(x)
    return y.transpose(1, 2).contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0], x.shape[2], x.shape[1]), dtype=x.dtype)
    library.f(x, out, x.shape[0], x.shape[1], x.shape[2])
    return out


def replacement_func():
    return wrapper
