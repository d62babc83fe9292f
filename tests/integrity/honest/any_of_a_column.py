"""Hides what a mask of one column hides throughout.

Graph: thin_marks
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void k(const float* x, const bool* m, float* out, int64_t rows, int64_t n, int64_t w) {
  for (int64_t r = 0; r < rows; ++r) {
    if (std::memchr(m + r * w, 1, w)) std::memcpy(out + r * n, x + r * n, 4 * n); else std::memset(out + r * n, 0, 4 * n);
  }
}
""")


def pattern(x, m):
    seen = m.any(dim=1)
    hidden = torch.logical_not(seen)
    return x.masked_fill(hidden, 0.0)


def replacement_args(x, m):
    return (x, m)


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty_like(x)
    library.k(x, m, out, x.shape[0], x.shape[1], m.shape[1])
    return out


def replacement_func():
    return wrapper
