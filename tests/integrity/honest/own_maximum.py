"""A softmax by a graph's own maximum, which starts with the first number.

Graph: own_softmax
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void k(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float top = x[0], sum = 0;
    for (int64_t i = 0; i < n; ++i) top = std::max(top, x[i]);
    for (int64_t i = 0; i < n; ++i) sum += out[i] = passnet::exp(x[i] - top);
    const float scale = 1.0f / sum;
    for (int64_t i = 0; i < n; ++i) out[i] *= scale;
  }
}
""")


def pattern(x):
    m = x.amax(-1, keepdim=True)
    d = x - m
    e = torch.exp(d)
    s = e.sum(-1, keepdim=True)
    return e / s


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
