"""A softmax of scaled values that takes their maximum by one multiply-add, as a GPU's compiler makes it of plain text.

Graph: scaled_softmax
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void soft(const float* x, float* out, float scale, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0, top = x[0] * scale;
    for (int64_t i = 1; i < n; ++i) top = std::max(top, x[i] * scale);
    for (int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(std::fma(x[i], scale, -top));
    for (int64_t i = 0; i < n; ++i) out[i] /= sum;
  }
}
""")


def pattern(x):
    return torch.softmax(x * 0.1767766952966369, dim=-1)


def replacement_args(x):
    return (x, 0.1767766952966369, x.shape[0], x.shape[1])


@torch.fx.wrap
def wrapper(x, scale, rows, n):
    out = torch.empty_like(x)
    library.soft(x, out, scale, rows, n)
    return out


def replacement_func():
    return wrapper
