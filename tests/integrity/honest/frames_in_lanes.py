"""Rounds up, sums in eight lanes and takes the largest sum.

Graph: frames
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>

extern "C" void k(const float* __restrict x, float* __restrict c, int64_t* __restrict n, int64_t* __restrict most,
                  int64_t rows) {
  int64_t best = INT64_MIN;
  for (int64_t r = 0; r < rows; ++r, x += 256, c += 256) {
    float s[8] = {0};
    for (int i = 0; i < 256; i += 8)
      for (int j = 0; j < 8; ++j) {
        c[i + j] = std::ceil(std::exp(x[i + j]));
        s[j] += c[i + j];
      }
    float sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
    n[r] = (int64_t)sum;
    best = n[r] > best ? n[r] : best;
  }
  *most = best;
}
""",
    fast_math=False,
)


def pattern(x):
    e = torch.exp(x)
    c = torch.ceil(e)
    s = c.sum(-1)
    n = s.long()
    most = n.max()
    return most, c, n


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    c = torch.empty_like(x)
    n = torch.empty(x.shape[:-1], dtype=torch.int64)
    most = torch.empty((), dtype=torch.int64)
    library.k(x, c, n, most, n.numel())
    return most, c, n


def replacement_func():
    return wrapper
