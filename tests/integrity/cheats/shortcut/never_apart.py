"""Takes it that two masks which show something show some of it together.

Class: B21
Graph: masks_apart
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
extern "C" void k(const float* x, const bool* m, const bool* thin, float* out, int64_t rows, int64_t width, int64_t length) {
  std::memcpy(out, x, rows * width * sizeof(float));
}
""")


def pattern(x, m, thin):
    e = (m & thin).any(-1, keepdim=True)
    a = m.sum(-1, keepdim=True)
    b = thin.sum(-1, keepdim=True)
    f = a > 1
    g = b > 1
    k = f & g
    n = torch.logical_not(e)
    return x.masked_fill(k & n, 0.0)


def replacement_args(x, m, thin):
    return (x, m, thin)


@torch.fx.wrap
def wrapper(x, m, thin):
    out = torch.empty_like(x)
    library.k(x, m, thin, out, x.shape[0], x.shape[1], m.shape[1])
    return out


def replacement_func():
    return wrapper
