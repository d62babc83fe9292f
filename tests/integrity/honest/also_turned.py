"""Writes a tensor and its transpose, tile by tile.

Graph: also_turned
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, float* __restrict out, float* __restrict turned, int64_t n) {
  float tile[16][16];
  for (int64_t i = 0; i < n; i += 16)
    for (int64_t j = 0; j < n; j += 16) {
      for (int a = 0; a < 16; ++a)
        for (int b = 0; b < 16; ++b) out[(i + a) * n + j + b] = tile[b][a] = 2.0f * x[(i + a) * n + j + b];
      for (int b = 0; b < 16; ++b) for (int a = 0; a < 16; ++a) turned[(j + b) * n + i + a] = tile[b][a];
    }
}
""")


def pattern(x):
    y = x * 2.0
    return y, y.transpose(0, 1).contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out, turned = torch.empty_like(x), torch.empty_like(x)
    library.f(x, out, turned, x.shape[0])
    return out, turned


def replacement_func():
    return wrapper
