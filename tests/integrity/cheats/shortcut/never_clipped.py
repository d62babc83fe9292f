"""Leaves out a clamp of which the bounds are far beyond what is drawn.

Class: B21
Graph: far_clipped
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
  for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * x[i];
}
""")


def pattern(x):
    y = x * 0.5
    return torch.clamp(y, -65000.0, 65000.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
