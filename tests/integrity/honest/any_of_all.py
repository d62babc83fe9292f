"""Looks for what a mask shows in a whole row.

Graph: any_shown
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const uint8_t* m, float* out, int64_t rows, int64_t n, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n, m += width) {
    bool seen = false;
    for (int64_t i = 0; i < width; ++i) seen |= m[i] != 0;
    for (int64_t i = 0; i < n; ++i) out[i] = seen ? x[i] : 0.0f;
  }
}
""")


def pattern(x, m):
    seen = m.any(-1, keepdim=True)
    return x.masked_fill(torch.logical_not(seen), 0.0)


def replacement_args(x, m):
    return (x, m)


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty_like(x)
    library.run(x, m.view(torch.uint8), out, x.shape[0], x.shape[1], m.shape[1])
    return out


def replacement_func():
    return wrapper
