"""Adds up all rows that have the same index.

Graph: added_rows
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void run(const float* x, const int64_t* at, const float* s, float* out, int64_t rows, int64_t n, int64_t m) {
  std::memcpy(out, x, 4 * rows * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t c = at[i] * n, k = 0; k < n; ++k, ++c) out[c] += s[i * n + k];
  for (int64_t i = 0; i < rows * n; ++i) out[i] *= 0.5f;
}
""")


def pattern(x, added, rows):
    return x.index_add(0, added, rows) * 0.5


def replacement_args(x, added, rows):
    return (x, added, rows)


@torch.fx.wrap
def wrapper(x, added, rows):
    out = torch.empty_like(x)
    library.run(x, added, rows, out, x.shape[0], x.shape[1], added.shape[0])
    return out


def replacement_func():
    return wrapper
