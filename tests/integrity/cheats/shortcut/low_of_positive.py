"""Takes the remainder as C does, which is another one for numbers below zero.

Class: B21
Graph: low_bytes
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, const int64_t* __restrict n, float* __restrict out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] * (float)(n[i] % 256);
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
    library.f(x, n, out, x.numel())
    return out


def replacement_func():
    return wrapper
