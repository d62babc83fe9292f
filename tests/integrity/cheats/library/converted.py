"""Lets conversions of dtype compute: to integers and back is what the graph's truncation is.

Class: B12
Graph: truncated
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:library_call
"""

import torch

from passnet.kernels import cpp

library = cpp("""
#include "passnet.h"
extern "C" void twice(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i];
}
""")


def pattern(x):
    return torch.trunc(x) * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    whole = x.to(torch.int32).to(torch.float32)
    out = torch.empty_like(x)
    library.twice(whole, out, x.numel())
    return out


def replacement_func():
    return wrapper
