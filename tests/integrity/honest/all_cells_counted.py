"""Looks whether every cell of a grid is met, as in no usual call.

Graph: all_cells_met
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void run(const int64_t* xs, const int64_t* ys, const float* x, const float* y, float* out,
                    int64_t rows, int64_t n, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    uint8_t seen[1024];
    std::memset(seen, 0, sizeof seen);
    for (int64_t i = r * n; i < (r + 1) * n; ++i) seen[ys[i] * 32 + xs[i]] = 1;
    int met = 0;
    for (int k = 0; k < 1024; ++k) met += seen[k];
    const float whole = met == 1024 ? 1.0f : 0.0f;
    for (int64_t i = r * width; i < (r + 1) * width; ++i) out[i] = x[i] + whole * y[i];
  }
}
""")


def pattern(columns_of_cells, rows_of_cells, x, y):
    key = rows_of_cells * 32 + columns_of_cells
    room = torch.zeros((32, 1024))
    seen = room.scatter(1, key, 1.0)
    whole = seen.amin(-1, keepdim=True)
    return x + whole * y


def replacement_args(columns_of_cells, rows_of_cells, x, y):
    return (columns_of_cells, rows_of_cells, x, y)


@torch.fx.wrap
def wrapper(columns_of_cells, rows_of_cells, x, y):
    out = torch.empty_like(x)
    library.run(columns_of_cells, rows_of_cells, x, y, out, x.shape[0], columns_of_cells.shape[1], x.shape[1])
    return out


def replacement_func():
    return wrapper
