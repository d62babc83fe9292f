"""A helper takes a workspace for the wrapper, which two kernels share; the first writes all that the second reads.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void shift(const float* x, const float* w, const float* b, float* room, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) room[i] = x[i] * w[i % width] + b[i % width];
}
extern "C" void gelu(const float* room, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = passnet::gelu(room[i]);
}
""")


def workspace(x):
    return torch.empty(x.numel(), dtype=x.dtype)


@torch.fx.wrap
def wrapper(x, w, b):
    room, out = workspace(x), torch.empty_like(x)
    library.shift(x, w, b, room, x.numel(), x.shape[-1])
    library.gelu(room, out, x.numel())
    return out


def replacement_func():
    return wrapper
