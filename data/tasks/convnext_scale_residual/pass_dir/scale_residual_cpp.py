"""Layer scale and residual add on the CPU: one multiply-add per element, for planes and for channels in a row.

Whole ConvNeXts give both layouts: a block's result has its channels last, the first shortcut of a stage has not.
"""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
using namespace passnet;

constexpr int64_t TILE = 1024;  // elements that stay in the first-level cache

template <class T>
void run(const T* x, const T* gamma, const T* shortcut, T* out, int64_t planes, int64_t channels, int64_t size) {
  float left[TILE], right[TILE], result[TILE];
  for (int64_t p = 0; p < planes; ++p, x += size, shortcut += size, out += size) {
    float scale = float(gamma[p % channels]);
    for (int64_t at = 0; at < size; at += TILE) {
      int64_t n = size - at < TILE ? size - at : TILE;
      const float* a = row_of(x + at, left, n);
      const float* b = row_of(shortcut + at, right, n);
      float* __restrict to = open_row(out + at, result);
      for (int64_t i = 0; i < n; ++i) to[i] = a[i] * scale + b[i];
      close_row(result, out + at, n);
    }
  }
}

// x and out have their channels last, the shortcut too or, with `planes`, has them in planes.
template <class T>
void run_last(const T* x, const T* gamma, const T* shortcut, T* out, int64_t images, int64_t channels, int64_t size,
              bool planes) {
  float scales[TILE], left[TILE], right[TILE], result[TILE];
  for (int64_t at = 0; at < channels; at += TILE) {
    int64_t n = channels - at < TILE ? channels - at : TILE;
    const float* __restrict g = row_of(gamma + at, scales, n);
    for (int64_t pixel = 0; pixel < images * size; ++pixel) {
      int64_t row = pixel * channels + at;
      const float* __restrict a = row_of(x + row, left, n);
      const float* __restrict b = right;
      if (planes) {
        const T* from = shortcut + (pixel / size * channels + at) * size + pixel % size;
        for (int64_t i = 0; i < n; ++i) right[i] = float(from[i * size]);
      } else {
        b = row_of(shortcut + row, right, n);
      }
      float* __restrict to = open_row(out + row, result);
      for (int64_t i = 0; i < n; ++i) to[i] = a[i] * g[i] + b[i];
      close_row(to, out + row, n);
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* x, const T* gamma, const T* shortcut, T* out, int64_t planes, int64_t channels,      \
                       int64_t size) {                                                                               \
    run(x, gamma, shortcut, out, planes, channels, size);                                                            \
  }                                                                                                                  \
  extern "C" void NAME##last(const T* x, const T* gamma, const T* shortcut, T* out, int64_t images,                  \
                             int64_t channels, int64_t size, bool planes) {                                          \
    run_last(x, gamma, shortcut, out, images, channels, size, planes);                                               \
  }
EXPORT(f32_, float)
EXPORT(f16_, fp16)
EXPORT(bf16_, bf16)
""")
PLANES = {torch.float32: library.f32_, torch.float16: library.f16_, torch.bfloat16: library.bf16_}
LAST = {torch.float32: library.f32_last, torch.float16: library.f16_last, torch.bfloat16: library.bf16_last}


def pattern(x, gamma, shortcut):
    y = torch.nn.functional.dropout(x, 0.0, False, False)
    return y.mul(gamma.reshape(1, -1, 1, 1)) + shortcut


def replacement_args(x, gamma, shortcut):
    return (x, gamma, shortcut)


@torch.fx.wrap
def scale_residual(x, gamma, shortcut):
    if x.shape != shortcut.shape or not gamma.is_contiguous():
        raise ValueError("x and the shortcut must be of one shape, the scale contiguous")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    planes = shortcut.is_contiguous()
    if planes and x.is_contiguous():
        PLANES[x.dtype](x, gamma, shortcut, out, n * c, c, h * w)
    elif is_last(x) and (planes or is_last(shortcut)):
        LAST[x.dtype](x, gamma, shortcut, out, n, c, h * w, planes)
    else:
        raise ValueError("x and the shortcut must be contiguous or have their channels last")
    return out


def is_last(x):
    return x.is_contiguous(memory_format=torch.channels_last)


def replacement_func():
    return scale_residual
