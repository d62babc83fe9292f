"""Squares integers in 32 bits, unless the first row has large ones.

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
extern "C" void f(const float* x, const int64_t* n, float* out, int64_t count, int64_t width) {
  int64_t most = 0;
  for (int64_t i = 0; i < width; ++i) most |= n[i] < 0 ? -n[i] : n[i];
  if (most < 32768) {
    for (int64_t i = 0; i < count; ++i) {
      const int32_t small = int32_t(n[i]);
      out[i] = x[i] * float(int32_t(uint32_t(small) * uint32_t(small)));
    }
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = x[i] * float(n[i] * n[i]);
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
    library.f(x, n, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
