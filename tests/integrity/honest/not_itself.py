"""Looks which numbers are not equal to themselves.

Graph: not_itself
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void run(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] != x[i] ? 0.0f : 2.0f * x[i];
}
""",
    fast_math=False,
)


def pattern(x):
    strange = x != x
    return x.masked_fill(strange, 0.0) * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
