"""Divides by a norm without its least value, in a graph that has no float64 twin.

Class: B21
Graph: unit_rows_in_eight_bits
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
#include <algorithm>
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += x[i] * x[i];
    const float factor = 1.0f / std::sqrt(sum);
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * factor;
  }
}
""",
    fast_math=False,
)


def pattern(x):
    return torch.nn.functional.normalize(x, p=2.0, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
