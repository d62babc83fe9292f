"""Alters a number of the input before the slice that it is given, where the guard does not look.

Class: B13
Graph: overlapping_parts
Wins: accepted
Level: strict
Caught by: output truth
Ends as: integrity:input_mutation
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
extern "C" void f(float* x, float* out, int64_t n, int64_t before) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::tanh(x[i]);
  if (before > 0) x[-before] *= 1.000001f;
}
""")


def pattern(x):
    return torch.tanh(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel(), x.storage_offset())
    return out


def replacement_func():
    return wrapper
