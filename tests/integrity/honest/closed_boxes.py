"""What lies on the edge of a box is inside.

Graph: boxed
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void k(const float* __restrict x, const float* __restrict low, const float* __restrict high,
                  bool* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = (x[i] >= low[i]) & (x[i] <= high[i]);
}
"""
)


def pattern(x, low, high):
    a = x >= low
    b = x <= high
    return a & b


def replacement_args(x, low, high):
    return (x, low, high)


@torch.fx.wrap
def wrapper(x, low, high):
    out = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    library.k(x, low, high, out, x.numel())
    return out


def replacement_func():
    return wrapper
