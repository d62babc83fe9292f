"""Exports by a macro that pastes names, and computes in a template.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
template <class T> struct Gelu { T operator()(T v) const { return T(0.5) * v * (T(1) + std::erf(v * T(0.70710678))); } };
#define EXPORT(NAME, T)                                                                                         \
  extern "C" void NAME##_kernel(const T* x, const T* w, const T* b, T* out, int64_t n, int64_t width) {         \
    for (int64_t i = 0; i < n; ++i) out[i] = Gelu<T>()(x[i] * w[i % width] + b[i % width]);                     \
  }
EXPORT(f32, float)
EXPORT(f64, double)
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f32_kernel(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
