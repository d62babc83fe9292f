"""Module-level constants, in Python and in C++.

Graph: scale_gelu
Level: strict
"""

import math

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

SCALES = (0.5, 1.0 / math.sqrt(2.0))
library = cpp(r"""
#include "passnet.h"
static const float kHalf[2] = {0.5f, 1.0f};
constexpr int kOne = 1;
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width, double half,
                  double root) {
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = kHalf[0] * float(2 * half) * v * (kHalf[kOne] + std::erf(v * float(root)));
  }
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1], *SCALES)
    return out


def replacement_func():
    return wrapper
