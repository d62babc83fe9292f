"""Makes all inputs one shape by views, and reads them through their strides.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t rows, int64_t width, int64_t step,
                  int64_t next) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[r * width + i] * w[r * step + i * next] + b[r * step + i * next];
      out[r * width + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    if not x.is_contiguous():
        raise ValueError("this kernel needs contiguous x")
    x, weights, biases = torch.broadcast_tensors(x, w, b)
    step, following = weights.stride()
    out = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype)
    library.f(x, weights, biases, out, x.shape[0], x.shape[1], step, following)
    return out


def replacement_func():
    return wrapper
