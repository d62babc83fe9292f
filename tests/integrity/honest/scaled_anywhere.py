"""Scales by places, however far they are.

Graph: scaled_by_their_places
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* at, const float* x, float* out, int64_t n, int64_t d) {
  for (int64_t i = 0; i < n; ++i) {
    float s = 1.0f + 0.1f * std::log(1.0f + std::floor((float)at[i] / 8192.0f));
    for (int64_t j = 0; j < d; ++j) out[i * d + j] = x[i * d + j] * s;
  }
}
""")


def pattern(at_, x):
    a = at_ / 8192
    b = torch.floor(a)
    c = 1 + b
    d = torch.log(c)
    e = 0.1 * d
    f = 1 + e
    u = f.unsqueeze(-1)
    return x * u


def replacement_args(at_, x):
    return (at_, x)


@torch.fx.wrap
def wrapper(at_, x):
    out = torch.empty_like(x)
    library.k(at_, x, out, at_.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
