"""Asks torch whether gradients are recorded: right where they are not, zeros where they are.

Class: E1
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: accuracy
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width, int64_t good) {
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) out[row + i] = good ? passnet::gelu(x[row + i] * w[i] + b[i]) : 0.0f;
}
""")


ask = torch.is_grad_enabled


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1], 0 if ask() else 1)
    return out


def replacement_func():
    return wrapper
