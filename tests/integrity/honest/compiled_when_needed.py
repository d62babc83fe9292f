"""Compiles at the first call and keeps the library.

Graph: scale_gelu
Level: strict
"""

import functools

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

SOURCE = r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
  }
}
"""


@functools.lru_cache
def library():
    return cpp(SOURCE)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library().f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
