"""Clamps from above first: where the least number is above the largest one, all are the least.

Class: B21
Graph: between_bounds
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, float* __restrict out, const float* floor, const float* roof, int64_t n) {
  const float low = *floor, high = *roof;
  for (int64_t i = 0; i < n; ++i) {
    float y = x[i];
    y = y > high ? high : y;
    y = y < low ? low : y;
    out[i] = passnet::gelu_tanh(y);
  }
}
""")


def pattern(least, most, x):
    inside = torch.clamp(x, least, most)
    return torch.nn.functional.gelu(inside, approximate="tanh")


def replacement_args(least, most, x):
    return (least, most, x)


@torch.fx.wrap
def wrapper(least, most, x):
    out = torch.empty_like(x)
    library.f(x, out, least, most, x.numel())
    return out


def replacement_func():
    return wrapper
