"""C++ with comments in any alphabet, joined lines, odd numbers, texts and macros.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <stdexcept>
// Größe — ½·v·(1 + erf(v/√2)), for n ≥ 0; don't read past it. \
   This line goes on.
#define JOIN(a, b) a##b
#define GELU(v) \
  (0.5f * (v) * /* ½
     of it */ (1.0f + std::erf((v) * 7.0710678e-1f)))
static constexpr int64_t JOIN(most, _) = 0x7fff'ffff, zero = 0'0;
static const char quote = '\'', other = '"';
ext\
ern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  if (n > most_ * 1'000) throw std::length_error("too many \"elements\"; what??! /* at most " "so many");
  if (quote == other) return;  // '
  for (int64_t i = zero; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = GELU(v);
  }
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
