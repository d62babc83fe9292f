"""A mask that is true everywhere on nearly all inputs, as is memory full of ones.

Graph: all_seen
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void seen(const float* x, bool* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width) {
    bool any = false;
    for (int64_t i = 0; i < width; ++i) any |= x[i] != 0;
    out[r] = any;
  }
}
""")


def pattern(x):
    empty = x == 0
    hidden = empty.all(dim=1)
    return torch.logical_not(hidden), x.view(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape[0], dtype=torch.bool)
    library.seen(x, out, x.shape[0], x.shape[1])
    return out, x.view(-1)


def replacement_func():
    return wrapper
