"""Looks for a number that minus itself is not 0.

Graph: differs_from_itself
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void run(const float* x, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  for (int64_t r = 0; r < rows; ++r, x += n, y += d, out += d) {
    int found = 0;
    for (int64_t i = 0; i < n; ++i) found |= (x[i] - x[i]) != 0.0f;
    for (int64_t i = 0; i < d; ++i) out[i] = found ? 0.0f : y[i];
  }
}
""",
    fast_math=False,
)


def pattern(x, y):
    d = x - x
    c = d != 0
    return y.masked_fill(c.any(-1).unsqueeze(-1), 0.0)


def replacement_args(x, y):
    return (
        x,
        y,
    )


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(y)
    library.run(x, y, out, x.shape[0], x.shape[1], y.shape[1])
    return out


def replacement_func():
    return wrapper
