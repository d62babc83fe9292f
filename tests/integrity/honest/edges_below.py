"""Counts the edges below a number, which are drawn and in order.

Graph: drawn_edges
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* bins, const float* x, float* out, int64_t count, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    int32_t below = 0;
    for (int64_t k = 0; k < count; ++k) below += bins[k] < x[i];
    out[i] = 0.5f * below;
  }
}
""")


def pattern(bins, x):
    p = torch.searchsorted(bins, x)
    return p * 0.5


def replacement_args(bins, x):
    return (bins, x)


@torch.fx.wrap
def wrapper(bins, x):
    out = torch.empty_like(x)
    library.run(bins, x, out, bins.numel(), x.numel())
    return out


def replacement_func():
    return wrapper
