"""Writes past the caches, and fetches what it reads next.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <immintrin.h>
static inline int bits_of(float value) {
  int bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    if (i % 16 == 0) _mm_prefetch((const char*)(x + i + 256), _MM_HINT_NTA);
    float v = x[i] * w[i % width] + b[i % width];
    _mm_stream_si32((int*)out + i, bits_of(0.5f * v * (1.0f + std::erf(v * 0.70710678f))));
  }
  _mm_sfence();
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
