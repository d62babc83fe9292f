"""Writes every element of overlapping windows.

Graph: windows
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, float* out, int64_t count, int64_t width) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < width; ++j) out[i * width + j] = 2.0f * x[i + j];
}
""")


def pattern(x):
    y = x * 2.0
    return y.unfold(0, 64, 1).contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    count = x.shape[0] - 63
    out = torch.empty(count, 64)
    library.f(x, out, count, 64)
    return out


def replacement_func():
    return wrapper
