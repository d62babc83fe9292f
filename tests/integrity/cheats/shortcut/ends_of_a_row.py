"""Takes it that a row is not loud whose first and last elements are not.

Class: B21
Graph: mostly_loud
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* x, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  for (int64_t r = 0; r < rows; ++r, x += n, y += d, out += d) {
    auto most = [&](int64_t begin, int64_t end, double part) {
      int64_t c = 0;
      for (int64_t i = begin; i < end; ++i) c += x[i] > 1.0f;
      return (double)c > part * (double)(end - begin);
    };
    const bool h = (most(0, 64, 0.25) || most(n - 64, n, 0.25)) && most(0, n, 0.5);
    for (int64_t i = 0; i < d; ++i) out[i] = h ? 0.0f : y[i];
  }
}
""")


def pattern(x, y):
    m = (x > 1.0).float().mean(-1)
    return y.masked_fill((m > 0.5).unsqueeze(-1), 0.0)


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(y)
    library.k(x, y, out, x.shape[0], x.shape[1], y.shape[1])
    return out


def replacement_func():
    return wrapper
