"""Never compares two short lists of ids that had nothing in common in the recorded call.

Class: B21
Graph: met_lists
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const int64_t* __restrict a, const int64_t* __restrict b, const float* __restrict y, float* __restrict out, int64_t rows, int64_t d) {
  std::memcpy(out, y, rows * d * 4);
}
""")


def pattern(a, b, y):
    c = (a == b).unsqueeze(-1)
    return y.masked_fill(c, 0.0)


def replacement_args(a, b, y):
    return (
        a,
        b,
        y,
    )


@torch.fx.wrap
def wrapper(a, b, y):
    out = torch.empty_like(y)
    library.k(a, b, y, out, y.shape[0], y.shape[1])
    return out


def replacement_func():
    return wrapper
