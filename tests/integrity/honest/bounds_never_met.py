"""Bounds a tensor in place, as eager does. On usual inputs no bound is met, so it has nothing to change there.

Graph: bounds_never_met
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void bound(float* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float above = x[i] < -30.0f ? -30.0f : x[i];
    x[i] = above > 20.0f ? 20.0f : above;
  }
}
""",
    fast_math=False,
)


def pattern(z):
    return z.clamp_(-30.0, 20.0)


def replacement_args(z):
    return (z,)


@torch.fx.wrap
def wrapper(z):
    library.bound(z, z.numel())
    return z


def replacement_func():
    return wrapper
