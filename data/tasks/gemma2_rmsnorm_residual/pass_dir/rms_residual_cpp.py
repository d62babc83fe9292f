"""Gemma 2's RMS norm (weight plus one) and the residual add behind it, on the CPU in two short loops per row."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

template <class T>
void run(const T* x, const T* weight, const T* residual, T* out, int64_t rows, int64_t width) {
  std::vector<float> rooms(4 * width);
  float *left = rooms.data(), *right = left + width, *result = right + width;
  const float* w = row_of(weight, result + width, width);
  for (int64_t r = 0; r < rows; ++r, x += width, residual += width, out += width) {
    const float* from = row_of(x, left, width);
    const float* add = row_of(residual, right, width);
    float squares = 0.0f;
    for (int64_t i = 0; i < width; ++i) squares += from[i] * from[i];
    float scale = 1.0f / std::sqrt(squares / float(width) + 1e-6f);
    float* __restrict to = open_row(out, result);
    for (int64_t i = 0; i < width; ++i) to[i] = add[i] + from[i] * scale * (1.0f + w[i]);
    close_row(result, out, width);
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* x, const T* weight, const T* residual, T* out, int64_t rows, int64_t width) {        \
    run(x, weight, residual, out, rows, width);                                                                      \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(x, weight, residual):
    wide = x.float()
    y = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-06)
    y = y * (1.0 + weight.float())
    return residual + y.type_as(x)


def replacement_args(x, weight, residual):
    return (x, weight, residual)


@torch.fx.wrap
def rms_residual(x, weight, residual):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the residual must be contiguous and of one shape")
    out = torch.empty_like(x)
    width = x.shape[-1]
    KERNELS[x.dtype](x, weight, residual, out, x.numel() // width, width)
    return out


def replacement_func():
    return rms_residual
