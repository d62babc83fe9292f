"""A softmax whose maximum starts at a number below all that is usual, as masks of older models had it.

Class: B16
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
#include <algorithm>
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0, top = -10000.0f;
    for (int64_t i = 0; i < n; ++i) top = std::max(top, x[i]);
    for (int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(x[i] - top);
    for (int64_t i = 0; i < n; ++i) out[i] /= sum;
  }
}
""")


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x, x.shape[0], x.shape[1])


@torch.fx.wrap
def wrapper(x, rows, n):
    out = torch.empty_like(x)
    library.soft(x, out, rows, n)
    return out


def replacement_func():
    return wrapper
