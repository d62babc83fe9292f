"""Knows the angles of the first 64 places, which were all in the recorded call. Later ones get those of others.

Class: B21
Graph: turned_by_places
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>

extern "C" void k(const int64_t* at, const float* rates, const float* x, float* out, int64_t rows, int64_t width) {
  float table[64 * 64];
  for (int64_t p = 0; p < 64; ++p)
    for (int64_t c = 0; c < 64; ++c) table[p * 64 + c] = std::cos(float(p) * rates[c]);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < width; ++c)
      out[r * width + c] = x[r * width + c] * table[(at[r] & 63) * 64 + c];
}
""")


def pattern(at, rates, x):
    a = at.float().unsqueeze(-1) * rates
    return x * torch.cos(a)


def replacement_args(at, rates, x):
    return (at, rates, x)


@torch.fx.wrap
def wrapper(at, rates, x):
    out = torch.empty_like(x)
    library.k(at, rates, x, out, at.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
