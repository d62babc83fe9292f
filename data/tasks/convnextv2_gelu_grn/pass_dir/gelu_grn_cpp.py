"""GELU and global response normalisation on the CPU: GELU once into a float scratch that stays in cache."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
using namespace passnet;

// scratch holds one sample's activations and, behind them, one norm per channel.
template <class T>
void run(const T* x, const T* weight, const T* bias, T* out, float* scratch, int64_t samples, int64_t channels,
         int64_t size) {
  float* norms = scratch + channels * size;
  for (int64_t n = 0; n < samples; ++n, x += channels * size, out += channels * size) {
    float total = 0.0f;
    for (int64_t c = 0; c < channels; ++c) {
      float* active = scratch + c * size;
      const float* plane = row_of(x + c * size, active, size);
      float sum = 0.0f;
      for (int64_t i = 0; i < size; ++i) {
        float value = gelu(plane[i]);
        active[i] = value;
        sum += value * value;
      }
      norms[c] = std::sqrt(sum);
      total += norms[c];
    }
    float inverse = 1.0f / (total / float(channels) + 1e-6f);
    for (int64_t c = 0; c < channels; ++c) {
      float* active = scratch + c * size;
      float* to = open_row(out + c * size, active);
      float scale = 1.0f + float(weight[c]) * norms[c] * inverse, shift = float(bias[c]);
      for (int64_t i = 0; i < size; ++i) to[i] = active[i] * scale + shift;
      close_row(active, out + c * size, size);
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* x, const T* weight, const T* bias, T* out, float* scratch, int64_t samples,          \
                       int64_t channels, int64_t size) {                                                             \
    run(x, weight, bias, out, scratch, samples, channels, size);                                                     \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(x, weight, bias):
    y = torch.nn.functional.dropout(torch._C._nn.gelu(x), 0.0, False, False)
    norm = y.norm(p=2, dim=(2, 3), keepdim=True)
    scaled = norm / (norm.mean(dim=1, keepdim=True) + 1e-06)
    return y + torch.addcmul(bias.view((1, -1, 1, 1)), weight.view((1, -1, 1, 1)), y * scaled)


def replacement_args(x, weight, bias):
    return (x, weight, bias)


@torch.fx.wrap
def gelu_grn(x, weight, bias):
    if not x.is_contiguous():
        raise ValueError("x must be contiguous")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    scratch = torch.empty(c * h * w + c, dtype=torch.float32)
    KERNELS[x.dtype](x, weight, bias, out, scratch, n, c, h * w)
    return out


def replacement_func():
    return gelu_grn
