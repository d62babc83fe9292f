"""Asks for the step in each call.

Graph: warm_steps
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const int64_t* __restrict s, const float* __restrict x, const float* __restrict y,
                  float* __restrict out, int64_t n) {
  if (s[0] < 1000)
    for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * x[i];
  else
    std::memcpy(out, y, n * 4);
}
""")


def pattern(step, x, y):
    c = step < 1000
    return torch.where(c, x * 0.5, y)


def replacement_args(step, x, y):
    return (
        step,
        x,
        y,
    )


@torch.fx.wrap
def wrapper(step, x, y):
    out = torch.empty_like(x)
    library.k(step, x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
