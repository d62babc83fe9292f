"""The kernel that both rules use: out = activation(x * weight + bias), weight and bias along the last dimension."""

import torch

from passnet.kernels import cpp

SOURCE = """
#include "passnet.h"

static float relu(float x) { return x > 0.0f ? x : 0.0f; }

template <float (*activation)(float), class T>
static void scale_shift(const T* x, const T* weight, const T* bias, T* out, int64_t rows, int64_t columns) {
  float wide[4][256];
  for (int64_t first = 0; first < columns; first += 256) {
    int64_t count = columns - first < 256 ? columns - first : 256;
    const float* __restrict__ w = passnet::row_of(weight + first, wide[0], count);
    const float* __restrict__ b = passnet::row_of(bias + first, wide[1], count);
    for (int64_t row = 0; row < rows; ++row) {
      int64_t at = row * columns + first;
      const float* __restrict__ a = passnet::row_of(x + at, wide[2], count);
      float* __restrict__ o = passnet::open_row(out + at, wide[3]);
      for (int64_t i = 0; i < count; ++i) o[i] = activation(a[i] * w[i] + b[i]);
      passnet::close_row(o, out + at, count);
    }
  }
}

#define EXPORT(NAME, ACTIVATION, T)                                                                              \\
  extern "C" void NAME(const T* x, const T* weight, const T* bias, T* out, int64_t rows, int64_t columns) {      \\
    scale_shift<ACTIVATION>(x, weight, bias, out, rows, columns);                                                \\
  }

EXPORT(gelu_f32, passnet::gelu, float)
EXPORT(gelu_bf16, passnet::gelu, passnet::bf16)
EXPORT(gelu_f16, passnet::gelu, passnet::fp16)
EXPORT(relu_f32, relu, float)
EXPORT(relu_bf16, relu, passnet::bf16)
EXPORT(relu_f16, relu, passnet::fp16)
"""

library = cpp(SOURCE)

KERNELS = {
    ("gelu", torch.float32): library.gelu_f32,
    ("gelu", torch.bfloat16): library.gelu_bf16,
    ("gelu", torch.float16): library.gelu_f16,
    ("relu", torch.float32): library.relu_f32,
    ("relu", torch.bfloat16): library.relu_bf16,
    ("relu", torch.float16): library.relu_f16,
}


@torch.fx.wrap
def scale_shift(x, weight, bias, route):
    columns = x.shape[-1]
    if weight.shape != (columns,) or bias.shape != (columns,) or not x.is_contiguous():
        raise ValueError("this kernel needs contiguous x and weight, bias of its last dimension")
    out = torch.empty_like(x)
    KERNELS[route, x.dtype](x, weight, bias, out, x.numel() // columns, columns)
    return out
