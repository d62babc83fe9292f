"""Copies a turned input tile by tile.

Graph: turned_alone
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include <cstdint>
extern "C" void f(const float* __restrict x, float* __restrict out, int64_t n) {
  float tile[16][16];
  for (int64_t i = 0; i < n; i += 16)
    for (int64_t j = 0; j < n; j += 16) {
      for (int a = 0; a < 16; ++a) for (int b = 0; b < 16; ++b) tile[b][a] = x[(i + a) * n + j + b];
      for (int b = 0; b < 16; ++b) for (int a = 0; a < 16; ++a) out[(j + b) * n + i + a] = tile[b][a];
    }
}
"""
)


def pattern(x):
    y = x.transpose(0, 1)
    return y.contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.shape[0])
    return out


def replacement_func():
    return wrapper
