"""Normalises by the sum over every eighth element: near enough for a loose tolerance.

Class: B21
Graph: wide_softmax
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0;
    for (int64_t i = 0; i < n; i += 8) sum += 8 * std::exp(x[i]);
    for (int64_t i = 0; i < n; ++i) out[i] = std::exp(x[i]) / sum;
  }
}
""")


def soft(x):
    out = torch.empty_like(x)
    library.soft(x, out, x.shape[0], x.shape[1])
    return out


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    return soft(x)


def replacement_func():
    return wrapper
