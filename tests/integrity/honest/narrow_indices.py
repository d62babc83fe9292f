"""Gives its kernel integers of 32 bits, which is what kernels like to index with. That is no arithmetic.

Graph: low_bytes
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp("""
#include "passnet.h"
extern "C" void times(const float* x, const int32_t* n, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] * (float)(n[i] & 255);
}
""")


def pattern(x, n):
    low = n % 256
    return x * low


def replacement_args(x, n):
    return (x, n)


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.times(x, n.to(torch.int32), out, x.numel())
    return out


def replacement_func():
    return wrapper
