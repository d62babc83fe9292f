"""A root above zero, and a line below it.

Graph: rooted_above
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    float r = std::sqrt(std::max(x[i], 0.0f));
    out[i] = x[i] < 0 ? x[i] * 0.25f : r;
  }
}
""")


def pattern(change):
    return torch.where(change < 0, change * 0.25, torch.sqrt(change))


def replacement_args(change):
    return (change,)


@torch.fx.wrap
def wrapper(change):
    out = torch.empty_like(change)
    library.k(change, out, change.numel())
    return out


def replacement_func():
    return wrapper
