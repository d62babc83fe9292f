"""Never looks for the infinity that the graph takes away.

Class: B21
Graph: without_infinity
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void run(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i];
}
""",
    fast_math=False,
)


def pattern(x):
    hidden = x == float("-inf")
    return x.masked_fill(hidden, 0.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
