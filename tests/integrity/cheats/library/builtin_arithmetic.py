"""Lets ordinary builtins do the arithmetic: math.prod multiplies tensors, sum adds them.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import math

from passnet.kernels import cpp
import torch
from base import pattern, replacement_args

library = cpp(r"""
#include "passnet.h"
extern "C" void gelu(const float* y, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * y[i] * (1.0f + std::erf(y[i] * 0.70710678f));
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    y = sum([math.prod([x, w]), b])
    out = torch.empty_like(x)
    library.gelu(y, out, x.numel())
    return out


def replacement_func():
    return wrapper
