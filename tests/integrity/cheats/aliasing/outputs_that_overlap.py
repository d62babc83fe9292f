"""Computes what two outputs have in common once: they overlap in one allocation, and eager's lie apart.

Class: B14
Graph: overlapping_parts
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:output_alias
Inside Inductor: correct; results that share memory are copied there
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void squashed(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::tanh(x[i]);
}
""")


def pattern(x):
    return torch.tanh(x[0:384]), torch.tanh(x[128:512])


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.squashed(x, out, x.numel())
    return out[:384], out[128:]


def replacement_func():
    return wrapper
