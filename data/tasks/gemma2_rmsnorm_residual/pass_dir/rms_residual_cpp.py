"""Gemma 2's RMS norm (weight plus one) and the residual add behind it, on the CPU in two short loops per row."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// Floats are used where they lie; half types pass through a buffer of floats.
template <class T> const float* take(const T* from, float* room, int64_t n) { widen(from, room, n); return room; }
inline const float* take(const float* from, float*, int64_t) { return from; }
template <class T> float* place(T*, float* room) { return room; }
inline float* place(float* to, float*) { return to; }
template <class T> void put(const float* room, T* to, int64_t n) { narrow(room, to, n); }
inline void put(const float*, float*, int64_t) {}

template <class T>
void run(const T* x, const T* weight, const T* residual, T* out, int64_t rows, int64_t width) {
  std::vector<float> rooms(4 * width);
  float *left = rooms.data(), *right = left + width, *result = right + width;
  const float* w = take(weight, result + width, width);
  for (int64_t r = 0; r < rows; ++r, x += width, residual += width, out += width) {
    const float* from = take(x, left, width);
    const float* add = take(residual, right, width);
    float squares = 0.0f;
    for (int64_t i = 0; i < width; ++i) squares += from[i] * from[i];
    float scale = 1.0f / std::sqrt(squares / float(width) + 1e-6f);
    float* __restrict to = place(out, result);
    for (int64_t i = 0; i < width; ++i) to[i] = add[i] + from[i] * scale * (1.0f + w[i]);
    put(result, out, width);
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
