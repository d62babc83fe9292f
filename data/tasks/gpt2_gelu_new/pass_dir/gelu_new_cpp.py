"""GPT-2's GELU on the CPU: 0.5 (1 + tanh u) is sigmoid(2 u), which keeps its precision for negative x."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
using namespace passnet;

constexpr int64_t TILE = 1024;  // elements that stay in the first-level cache

template <class T>
void run(const T* x, T* out, int64_t count) {
  float room[TILE], result[TILE];
  for (int64_t at = 0; at < count; at += TILE) {
    int64_t n = count - at < TILE ? count - at : TILE;
    const float* from = row_of(x + at, room, n);
    float* __restrict to = open_row(out + at, result);
    for (int64_t i = 0; i < n; ++i) {
      float v = from[i];
      to[i] = v * sigmoid(1.5957691216057308f * (v + 0.044715f * v * v * v));
    }
    close_row(result, out + at, n);
  }
}

#define EXPORT(NAME, T) \
  extern "C" void NAME(const T* x, T* out, int64_t count) { run(x, out, count); }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(x):
    inner = 0.7978845608028654 * (x + 0.044715 * torch.pow(x, 3.0))
    return (0.5 * x) * (1.0 + torch.tanh(inner))


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def gelu_new(x):
    if not x.is_contiguous():
        raise ValueError("x must be contiguous")
    out = torch.empty_like(x)
    KERNELS[x.dtype](x, out, x.numel())
    return out


def replacement_func():
    return gelu_new
