"""A logarithm that takes numbers beyond 2^18 for 2^18.

Class: B16
Graph: energies
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void k(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * std::log(std::min(x[i], 262144.0f));
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
