"""Lays a view out anew before its kernel reads it.

Graph: views
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void twice(const float* x, float* out, int64_t rows, int64_t columns, int64_t down, int64_t right) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) out[r * columns + c] = 2.0f * x[r * down + c * right];
}
""")


def pattern(x):
    return x * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    rows = x.contiguous()
    out = torch.empty_like(rows)
    library.twice(rows, out, *rows.shape, *rows.stride())
    return out


def replacement_func():
    return wrapper
