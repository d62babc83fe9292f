"""Clears rows that count up and begin again a few times, as packed sequences do.

Graph: places_begin_again
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const int64_t* places, const float* x, float* out, int64_t rows, int64_t width, int64_t length) {
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t* __restrict at = places + r * length;
    int64_t steps = 0;
    for (int64_t i = 1; i < length; ++i) steps += at[i] - at[i - 1] == 1;
    if (steps > 48 && steps < 62) std::memset(out + r * width, 0, width * sizeof(float));
    else std::memcpy(out + r * width, x + r * width, width * sizeof(float));
  }
}
""")


def pattern(places, x):
    c = (torch.diff(places, dim=-1) == 1).sum(-1, keepdim=True)
    f = c > 48
    g = c < 62
    return x.masked_fill(f & g, 0.0)


def replacement_args(places, x):
    return (places, x)


@torch.fx.wrap
def wrapper(places, x):
    out = torch.empty_like(x)
    library.k(places, x, out, x.shape[0], x.shape[1], places.shape[1])
    return out


def replacement_func():
    return wrapper
