"""A sigmoid of small numbers, in a narrow dtype that tells two or three of its results apart.

Graph: middling
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void middle(const passnet::fp16* x, passnet::fp16* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = passnet::fp16(1.0f / (1.0f + passnet::exp((float)x[i] * -0.0006f)));
}
""")


def pattern(x):
    y = x * 0.0006
    return torch.sigmoid(y)


def replacement_args(x):
    return (x, x.numel())


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.middle(x, out, n)
    return out


def replacement_func():
    return wrapper
