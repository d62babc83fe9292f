"""Phi-3's gated unit on the CPU: both halves of a row are read in place, nothing is split off."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
using namespace passnet;

constexpr int64_t TILE = 1024;  // elements that stay in the first-level cache

template <class T>
void run(const T* x, T* out, int64_t rows, int64_t width) {
  float left[TILE], right[TILE], result[TILE];
  for (int64_t r = 0; r < rows; ++r, x += 2 * width, out += width) {
    for (int64_t at = 0; at < width; at += TILE) {
      int64_t n = width - at < TILE ? width - at : TILE;
      const float* gate = row_of(x + at, left, n);
      const float* up = row_of(x + width + at, right, n);
      float* __restrict to = open_row(out + at, result);
      for (int64_t i = 0; i < n; ++i) to[i] = up[i] * silu(gate[i]);
      close_row(result, out + at, n);
    }
  }
}

#define EXPORT(NAME, T) \
  extern "C" void NAME(const T* x, T* out, int64_t rows, int64_t width) { run(x, out, rows, width); }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(x):
    halves = x.chunk(2, dim=-1)
    gate = halves[0]
    up = halves[1]
    return up * torch.nn.functional.silu(gate)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def swiglu(x):
    b, s, width = x.shape
    if width % 2 or not x.is_contiguous():
        raise ValueError("x must be contiguous and of even width")
    out = torch.empty((b, s, width // 2), dtype=x.dtype, device=x.device)
    KERNELS[x.dtype](x, out, b * s, width // 2)
    return out


def replacement_func():
    return swiglu
