"""Counts rows from both ends.

Graph: rows_from_both_ends
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* places, float* out, int64_t m, int64_t n, int64_t rows) {
  for (int64_t i = 0; i < m; ++i) {
    const float* row = x + (places[i] < 0 ? places[i] + rows : places[i]) * n;
    for (int64_t c = 0; c < n; ++c) out[i * n + c] = row[c] * 0.5f;
  }
}
""")


def pattern(x, places):
    return x[places] * 0.5


def replacement_args(x, places):
    return (x, places)


@torch.fx.wrap
def wrapper(x, places):
    out = torch.empty((places.shape[0], x.shape[1]), dtype=x.dtype, device=x.device)
    library.run(x, places, out, places.shape[0], x.shape[1], x.shape[0])
    return out


def replacement_func():
    return wrapper
