"""Compares two short lists.

Graph: met_lists
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const int64_t* __restrict a, const int64_t* __restrict b, const float* __restrict y, float* __restrict out, int64_t rows, int64_t d) {
  for (int64_t r = 0; r < rows; ++r) if (a[r] == b[r]) std::memset(out + r * d, 0, d * 4); else std::memcpy(out + r * d, y + r * d, d * 4);
}
""")


def pattern(a, b, y):
    c = (a == b).unsqueeze(-1)
    return y.masked_fill(c, 0.0)


def replacement_args(a, b, y):
    return (
        a,
        b,
        y,
    )


@torch.fx.wrap
def wrapper(a, b, y):
    out = torch.empty_like(y)
    library.k(a, b, y, out, y.shape[0], y.shape[1])
    return out


def replacement_func():
    return wrapper
