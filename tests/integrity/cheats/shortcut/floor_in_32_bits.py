"""The floor of a number as an integer of 32 bits, which holds all that hard draws had.

Class: B21
Graph: floored
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const int32_t near = (int32_t)std::min(std::max(x[i], -2147483520.0f), 2147483520.0f);
    const float whole = (float)near;
    out[i] = 0.5f * (whole > x[i] ? whole - 1.0f : whole);
  }
}
""")


def pattern(x):
    y = torch.floor(x)
    return y * 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
