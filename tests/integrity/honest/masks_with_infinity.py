"""Fills with -infinity where its mask says so.

Graph: masked_scores
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <limits>
extern "C" void masked(const float* x, const float* y, float* out, int64_t n) {
  const float hidden = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < n; ++i) out[i] = y[i] > 1.0f ? hidden : x[i];
}
""")


def pattern(x, y):
    return x.masked_fill(y > 1.0, float("-inf"))


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.masked(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
