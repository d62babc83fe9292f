"""Its result is an output, and so are a turned view and overlapping windows of it, as in eager.

Graph: views_of_one
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void twice(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i];
}
""")


def pattern(x):
    return x * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.twice(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
