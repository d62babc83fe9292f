"""Asks for the kind of each row.

Graph: kind_of_row
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const int64_t* __restrict kind, const float* __restrict x, const float* __restrict y,
                  float* __restrict out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, y += n, out += n)
    if (kind[r] == 50)
      std::memcpy(out, y, n * 4);
    else
      for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * x[i];
}
""")


def pattern(kind, x, y):
    c = (kind == 50).unsqueeze(-1)
    return torch.where(c, y, x * 0.5)


def replacement_args(kind, x, y):
    return (
        kind,
        x,
        y,
    )


@torch.fx.wrap
def wrapper(kind, x, y):
    out = torch.empty_like(x)
    library.k(kind, x, y, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
