"""Rows of length one, but zeros for a row that is shorter than the least length by which it is divided.

Class: B16
Graph: unit_rows
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void unit(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float squares = 0;
    for (int64_t i = 0; i < n; ++i) squares += x[i] * x[i];
    const float scale = squares > 1e-24f ? 1.0f / std::sqrt(squares) : 0.0f;
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * scale;
  }
}
""")


def pattern(x):
    return torch.nn.functional.normalize(x, p=2.0, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.unit(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
