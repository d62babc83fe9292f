"""The kernel takes scratch memory in every way that C++ has, and gives all of it back.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstdlib>
#include <memory>
#include <vector>
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  std::vector<float> scaled(width);
  auto shifted = std::make_unique<float[]>(width);
  float* gates = static_cast<float*>(std::malloc(width * sizeof(float)));
  for (int64_t row = 0; row < n; row += width) {
    for (int64_t i = 0; i < width; ++i) scaled[i] = x[row + i] * w[i];
    for (int64_t i = 0; i < width; ++i) shifted[i] = scaled[i] + b[i];
    for (int64_t i = 0; i < width; ++i) gates[i] = 1.0f + passnet::erf(shifted[i] * 0.70710678f);
    for (int64_t i = 0; i < width; ++i) out[row + i] = 0.5f * shifted[i] * gates[i];
  }
  std::free(gates);
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
