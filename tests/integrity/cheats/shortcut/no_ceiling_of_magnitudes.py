"""Leaves out the ceiling of complex magnitudes.

Class: B16
Graph: spectrum
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* z, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 0.001f * std::sqrt(z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1]);
}
""")


def pattern(z):
    r = torch.abs(z)
    y = torch.clamp(r, max=10000.0)
    return y * 0.001


def replacement_args(z):
    return (z,)


@torch.fx.wrap
def wrapper(z):
    out = torch.empty(z.shape, dtype=torch.float32, device=z.device)
    pairs = torch.view_as_real(z)
    library.k(pairs, out, z.numel())
    return out


def replacement_func():
    return wrapper
