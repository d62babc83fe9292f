"""Counts all steps of 1, as long as there may be enough of them.

Graph: packed_rows
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
    for (int64_t i = 0; i + 1 < n; i += 512) {
      const int64_t end = i + 512 < n - 1 ? i + 512 : n - 1;
      for (int64_t j = i; j < end; ++j) found += q[j + 1] - q[j] == 1;
      if (found >= 1500 || found + (n - 1 - end) < 1500) break;
    }
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = found >= 1500 ? 0.0f : x[r * width + i];
  }
}
""")


def pattern(p, x):
    return x.masked_fill((torch.diff(p, dim=-1) == 1).sum(-1, keepdim=True) >= 1500, 0.0)


def replacement_args(p, x):
    return (p, x)


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
