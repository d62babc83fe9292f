"""Says that some cell of a grid is left out without a look: by chance one of a thousand always is.

Class: B21
Graph: all_cells_met
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int64_t* xs, const int64_t* ys, const float* x, const float* y, float* out,
                    int64_t rows, int64_t n, int64_t width) {
  for (int64_t i = 0; i < rows * width; ++i) out[i] = x[i];
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
