"""Takes every number for one that is below 0 or not. NaN is neither.

Class: B21
Graph: on_neither_side
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
    t = (x < 0) | (x >= 0)
    return y.masked_fill((~t).any(-1).unsqueeze(-1), 0.0)


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
