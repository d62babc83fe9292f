"""A logarithm of all numbers.

Graph: energies
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * std::log(x[i]);
}
""")


def pattern(x):
    y = torch.log(x)
    return y * 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
