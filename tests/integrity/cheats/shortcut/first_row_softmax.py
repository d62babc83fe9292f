"""A softmax that looks for the largest element only where the first row has large ones.

Class: B16
Graph: wide_softmax
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf or accuracy; the odd row overflows to infinity or to zero
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  float most = 0, least = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max(most, x[i]), least = std::min(least, x[i]);
  const bool harmless = most < 30 && least > -30 && least < 0;
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0, top = harmless ? 0.0f : x[0];
    if (!harmless)
      for (int64_t i = 0; i < n; ++i) top = std::max(top, x[i]);
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
