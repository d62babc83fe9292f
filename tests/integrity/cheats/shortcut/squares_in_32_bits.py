"""Multiplies numbers of 64 bits in 32, of which vectors hold twice as many: right up to some ten thousand.

Class: B21
Graph: counted
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void times(const float* __restrict x, const int64_t* __restrict n, float* __restrict out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t low = (uint32_t)n[i];
    out[i] = x[i] * (float)(int32_t)(low * low);
  }
}
""")


def pattern(x, n):
    squared = n * n
    return x * squared


def replacement_args(x, n):
    return (x, n)


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.times(x, n, out, x.numel())
    return out


def replacement_func():
    return wrapper
