"""Lets a conversion to fewer bits compute: what it leaves of a number is the remainder that the graph asks for.

Class: B12
Graph: low_bytes
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:library_call
"""

import torch
from passnet.kernels import cpp

library = cpp("""
#include "passnet.h"
extern "C" void times(const float* x, const uint8_t* low, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] * (float)low[i];
}
""")


def pattern(x, n):
    low = n % 256
    return x * low


def replacement_args(x, n):
    return (x, n)


@torch.fx.wrap
def wrapper(x, n):
    low = n.to(torch.uint8)
    out = torch.empty_like(x)
    library.times(x, low, out, x.numel())
    return out


def replacement_func():
    return wrapper
