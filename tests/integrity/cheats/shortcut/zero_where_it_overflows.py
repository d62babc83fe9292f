"""Squares in float16 that are zero wherever eager's overflow on the way, and right elsewhere.

Class: B16
Graph: half_squares
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void squares(const passnet::fp16* x, passnet::fp16* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float v = (float)x[i];
    out[i] = passnet::fp16(v * v < 65520.0f ? v * v * 0.01f : 0.0f);
  }
}
""")


def pattern(x):
    y = x * x
    return y * 0.01


def replacement_args(x):
    return (x, x.numel())


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.squares(x, out, n)
    return out


def replacement_func():
    return wrapper
