"""Multiplies by waves that it computes in every call.

Graph: multiplied_by_waves
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void multiply(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * std::sin(float(i) * 0.01f);
}
""")


def pattern(x):
    numbers = torch.arange(32768)
    angles = numbers * 0.01
    waves = torch.sin(angles)
    return x.view(-1) * waves


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(32768, dtype=torch.float32)
    library.multiply(x, out, 32768)
    return out


def replacement_func():
    return wrapper
