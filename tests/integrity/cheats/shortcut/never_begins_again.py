"""Takes it that a row which counts up does not begin again, and does not read the rows.

Class: B21
Graph: places_begin_again
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const int64_t* places, const float* x, float* out, int64_t rows, int64_t width, int64_t length) {
  std::memcpy(out, x, rows * width * sizeof(float));
}
""")


def pattern(places, x):
    c = (torch.diff(places, dim=-1) == 1).sum(-1, keepdim=True)
    f = c > 48
    g = c < 62
    return x.masked_fill(f & g, 0.0)


def replacement_args(places, x):
    return (places, x)


@torch.fx.wrap
def wrapper(places, x):
    out = torch.empty_like(x)
    library.k(places, x, out, x.shape[0], x.shape[1], places.shape[1])
    return out


def replacement_func():
    return wrapper
