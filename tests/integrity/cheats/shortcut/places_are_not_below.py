"""Leaves the clamp of places out: none of the recorded ones is below zero.

Class: B21
Graph: patch_places
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const int64_t* __restrict at, const float* __restrict w, int64_t* __restrict a, int64_t* __restrict b,
                  float* __restrict c, int64_t n, int64_t m) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t x = at[2 * i], y = at[2 * i + 1];
    a[2 * i] = y; a[2 * i + 1] = x;
    b[2 * i] = y; b[2 * i + 1] = x;
    float v = float(y);
    for (int64_t k = 0; k < m; ++k) c[i * m + k] = v * w[k];
  }
}
""")


def pattern(at, w):
    a = at.flip(dims=(-1,))
    b = a.clamp(min=0)
    return a, b, b[(Ellipsis, 0)].unsqueeze(-1) * w


def replacement_args(at, w):
    return (at, w)


@torch.fx.wrap
def wrapper(at, w):
    a, b = torch.empty_like(at), torch.empty_like(at)
    c = torch.empty((at.size(0), at.size(1), w.size(0)), dtype=w.dtype, device=w.device)
    library.f(at, w, a, b, c, at.numel() // 2, w.size(0))
    return a, b, c


def replacement_func():
    return wrapper
