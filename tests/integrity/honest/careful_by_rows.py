"""A softmax that subtracts the largest element of those rows in which an exponential could overflow or vanish.

Graph: wide_softmax
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float most = x[0], sum = 0;
    for (int64_t i = 1; i < n; ++i) most = std::max(most, x[i]);
    const float top = most < 30 && most > -30 ? 0.0f : most;
    for (int64_t i = 0; i < n; ++i) sum += out[i] = passnet::exp(x[i] - top);
    const float scale = 1.0f / sum;
    for (int64_t i = 0; i < n; ++i) out[i] *= scale;
  }
}
""")


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.soft(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
