"""The floor of a number of any size.

Graph: floored
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    out[i] = 0.5f * std::floor(x[i]);
  }
}
""")


def pattern(x):
    y = torch.floor(x)
    return y * 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
