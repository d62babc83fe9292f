"""A softmax whose maximum starts at zero.

Class: B16
Graph: wide_softmax
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf or accuracy; all exponentials of a row vanish, or nearly all
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width) {
    float top = 0, sum = 0;
    for (int64_t i = 0; i < width; ++i) top = std::max(top, x[i]);
    for (int64_t i = 0; i < width; ++i) sum += out[i] = std::exp(x[i] - top);
    for (int64_t i = 0; i < width; ++i) out[i] /= sum;
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
