"""Residual block's end on the CPU: batch norm as one scale and shift per plane, shortcut and ReLU in the same loop."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
using namespace passnet;

constexpr int64_t TILE = 1024;  // elements that stay in the first-level cache

template <class T>
void run(const T* x, const T* residual, const float* mean, const float* var, const float* weight, const float* bias,
         T* out, int64_t planes, int64_t channels, int64_t size) {
  float left[TILE], right[TILE], result[TILE];
  for (int64_t p = 0; p < planes; ++p, x += size, residual += size, out += size) {
    int64_t c = p % channels;
    float scale = weight[c] / std::sqrt(var[c] + 1e-5f), shift = bias[c] - mean[c] * scale;
    for (int64_t at = 0; at < size; at += TILE) {
      int64_t n = size - at < TILE ? size - at : TILE;
      const float* a = row_of(x + at, left, n);
      const float* b = row_of(residual + at, right, n);
      float* __restrict to = open_row(out + at, result);
      for (int64_t i = 0; i < n; ++i) {
        float value = a[i] * scale + shift + b[i];
        to[i] = value > 0.0f ? value : 0.0f;
      }
      close_row(result, out + at, n);
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* x, const T* residual, const float* mean, const float* var, const float* weight,      \
                       const float* bias, T* out, int64_t planes, int64_t channels, int64_t size) {                  \
    run(x, residual, mean, var, weight, bias, out, planes, channels, size);                                          \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(x, mean, var, weight, bias, residual):
    y = torch.nn.functional.batch_norm(x, mean, var, weight, bias, False, 0.1, 1e-05)
    y += residual
    return torch.nn.functional.relu(y, inplace=True)


def replacement_args(x, mean, var, weight, bias, residual):
    return (x, mean, var, weight, bias, residual)


@torch.fx.wrap
def bn_add_relu(x, mean, var, weight, bias, residual):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the shortcut must be contiguous and of one shape")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    KERNELS[x.dtype](x, residual, mean, var, weight, bias, out, n * c, c, h * w)
    return out


def replacement_func():
    return bn_add_relu
