"""Counts all regular steps.

Graph: rows_of_regular_times
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>

extern "C" void k(const float* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows,
                  int64_t width, int64_t n) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* q = p + r * n;
    int32_t found = 0;
    for (int32_t i = 0; i + 1 < (int32_t)n; ++i) found += std::fabs((q[i + 1] - q[i]) - 0.04f) < 0.001f;
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = found >= 128 ? 0.0f : x[r * width + i];
  }
}
""",
    fast_math=False,
)


def pattern(p, x):
    return x.masked_fill(((torch.diff(p, dim=-1) - 0.04).abs() < 0.001).sum(-1, keepdim=True) >= 128, 0.0)


def replacement_args(p, x):
    return (p, x)


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
