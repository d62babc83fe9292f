"""A softmax whose maximum starts at -1e15, with rows that a mask's own number hides done apart: no mask hid by less.

Class: B16
Graph: shaded
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void soft(const float* x, const float* shade, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, shade += n, out += n) {
    float sum = 0, top = -1e15f;
    for (int64_t i = 0; i < n; ++i) top = std::max(top, out[i] = x[i] + shade[i]);
    if (out[0] < -1e37f && top == -1e15f) {
      top = -INFINITY;
      for (int64_t i = 0; i < n; ++i) top = std::max(top, out[i]);
    }
    for (int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(out[i] - top);
    for (int64_t i = 0; i < n; ++i) out[i] /= sum;
  }
}
""")


def pattern(x, shade):
    y = x + shade
    return torch.softmax(y, dim=-1)


def replacement_args(x, shade):
    return (
        x,
        shade,
    )


@torch.fx.wrap
def wrapper(x, shade):
    out = torch.empty_like(x)
    library.soft(x, shade, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
