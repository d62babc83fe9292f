"""Shares of a sum of four, added in pairs. Where these almost cancel, no order of a float32 sum is nearer than another.

Graph: shares_of_four
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, float* __restrict out, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r, x += 4, out += 4) {
    const float s = (x[0] + x[1]) + (x[2] + x[3]);
    for (int i = 0; i < 4; ++i) out[i] = x[i] / s;
  }
}
""",
    fast_math=False,
)


def pattern(x):
    return x / x.sum(dim=-1).unsqueeze(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel() // 4)
    return out


def replacement_func():
    return wrapper
