"""Takes a number minus itself for 0, which it is for all that are finite. Nothing is read.

Class: B21
Graph: differs_from_itself
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cstring>
extern "C" void run(const float* x, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  std::memcpy(out, y, rows * d * 4);
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
