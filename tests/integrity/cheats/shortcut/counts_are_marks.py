"""Takes counts for marks: what comes behind them makes nothing but numbers of them.

Class: B16
Graph: dropped
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* x, const int64_t* n, float* out, int64_t rows, int64_t w) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < w; ++i) out[r * w + i] = n[r] ? x[r * w + i] : 0.0f;
}
""")


def pattern(x, n):
    m = n * n
    y = x * m
    return torch.nn.functional.dropout(y, p=0.1, training=False)


def replacement_args(x, n):
    return (x, n)


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.k(x, n, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
