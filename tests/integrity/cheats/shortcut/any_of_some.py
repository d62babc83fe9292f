"""Looks for what a mask shows in the first eighth of a row only: where half of it is shown, some of it is shown there.

Class: B21
Graph: any_shown
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const uint8_t* m, float* out, int64_t rows, int64_t n, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n, m += width) {
    bool seen = false;
    for (int64_t i = 0; i < width / 8; ++i) seen |= m[i] != 0;
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
