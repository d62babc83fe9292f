"""Computes a block once and writes all its copies.

Graph: repeated
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict__ x, float* __restrict__ out, int64_t n, int64_t times) {
  for (int64_t i = 0; i < n; ++i) out[i] = passnet::gelu(x[i]);
  for (int64_t k = 1; k < times; ++k) std::memcpy(out + k * n, out, n * sizeof(float));
}
""")


def pattern(x):
    return torch.nn.functional.gelu(x).repeat(16, 1, 1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((16, x.shape[0], x.shape[1]), dtype=x.dtype, device=x.device)
    library.f(x, out, x.numel(), 16)
    return out


def replacement_func():
    return wrapper
