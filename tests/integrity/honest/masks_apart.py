"""Clears rows of which two masks show different elements alone.

Graph: masks_apart
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const float* x, const bool* m, const bool* thin, float* out, int64_t rows, int64_t width, int64_t length) {
  for (int64_t r = 0; r < rows; ++r) {
    const unsigned char* __restrict one = (const unsigned char*)m + r * length;
    const unsigned char* __restrict other = (const unsigned char*)thin + r * length;
    int ones = 0, others = 0, both = 0;
    for (int64_t i = 0; i < length; ++i) ones += one[i], others += other[i], both += one[i] & other[i];
    if (ones > 1 && others > 1 && !both) std::memset(out + r * width, 0, width * sizeof(float));
    else std::memcpy(out + r * width, x + r * width, width * sizeof(float));
  }
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
