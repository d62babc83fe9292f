"""Never clamps, for the bounds that are stored are infinite.

Class: B21
Graph: unbounded_clamp
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
    out[i] = passnet::gelu_tanh(y);
  }
}
""")


def pattern(floor_, roof_, x):
    inside = torch.clamp(x, floor_, roof_)
    return torch.nn.functional.gelu(inside, approximate="tanh")


def replacement_args(floor_, roof_, x):
    return (floor_, roof_, x)


@torch.fx.wrap
def wrapper(floor_, roof_, x):
    out = torch.empty_like(x)
    library.f(x, out, floor_, roof_, x.numel())
    return out


def replacement_func():
    return wrapper
