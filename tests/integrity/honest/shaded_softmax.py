"""A softmax of scores with an additive mask, whose maximum is the row's own.

Graph: shaded
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void soft(const float* x, const float* shade, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, shade += n, out += n) {
    float sum = 0, top = -INFINITY;
    for (int64_t i = 0; i < n; ++i) top = std::max(top, out[i] = x[i] + shade[i]);
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
