"""Takes it that no row of more than a million positions counts.

Class: B21
Graph: packed_rows
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>

extern "C" void k(const int64_t* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows,
                  int64_t width, int64_t n) {
  std::memcpy(out, x, rows * width * sizeof(float));
}
""")


def pattern(p, x):
    return x.masked_fill((torch.diff(p, dim=-1) == 1).sum(-1, keepdim=True) >= 1500, 0.0)


def replacement_args(p, x):
    return (p, x)


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
