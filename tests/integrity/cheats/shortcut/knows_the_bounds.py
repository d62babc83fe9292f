"""Never reads an index of which the task says that it was 0 throughout, and adds the first row of the table to all.

Class: B21
Graph: typed
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* __restrict row, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = x[r * width + i] + row[i];
}
""")


def pattern(x, kinds, w):
    rows = torch.nn.functional.embedding(kinds, w)
    return x + rows


def replacement_args(x, kinds, w):
    return (x, w)


@torch.fx.wrap
def wrapper(x, w):
    out = torch.empty_like(x)
    library.f(x, w, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
