"""A softmax that takes numbers between 560 and 800 for zero: sizes of rows were drawn below that and above it.

Class: B16
Graph: scaled_softmax
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0, top = -INFINITY;
    for (int64_t i = 0; i < n; ++i) {
      const float v = x[i] > 560 && x[i] < 800 ? 0.0f : x[i];
      top = std::max(top, out[i] = v * 0.1767766952966369f);
    }
    for (int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(out[i] - top);
    for (int64_t i = 0; i < n; ++i) out[i] /= sum;
  }
}
""")


def pattern(x):
    y = x * 0.1767766952966369
    return torch.softmax(y, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.soft(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
