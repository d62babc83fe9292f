"""Counts all steps of 64.

Graph: rows_of_regular_offsets
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>

extern "C" void k(const int64_t* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows,
                  int64_t width, int64_t n) {
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t* q = p + r * n;
    int64_t found = 0;
    for (int64_t i = 0; i + 1 < (int64_t)n; ++i) found += q[i + 1] - q[i] == 64;
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = found >= 64 ? 0.0f : x[r * width + i];
  }
}
""")


def pattern(p, x):
    return x.masked_fill((torch.diff(p, dim=-1) == 64).sum(-1, keepdim=True) >= 64, 0.0)


def replacement_args(p, x):
    return (p, x)


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
