"""The mean over the tokens that a mask keeps, on the CPU: tokens that the mask drops are not read at all."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
using namespace passnet;

template <class T>
void run(const T* tokens, const int64_t* mask, float* out, int64_t sentences, int64_t length, int64_t channels) {
  float room[2048];
  for (int64_t s = 0; s < sentences; ++s, mask += length, out += channels) {
    float kept = 0.0f;
    for (int64_t c = 0; c < channels; ++c) out[c] = 0.0f;
    for (int64_t t = 0; t < length; ++t, tokens += channels) {
      float factor = static_cast<float>(mask[t]);
      if (mask[t] == 0) continue;
      kept += factor;
      const float* __restrict__ row = row_of(tokens, room, channels);
      for (int64_t c = 0; c < channels; ++c) out[c] += row[c] * factor;
    }
    float share = 1.0f / (kept > 1e-9f ? kept : 1e-9f);
    for (int64_t c = 0; c < channels; ++c) out[c] *= share;
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* tokens, const int64_t* mask, float* out, int64_t sentences, int64_t length,          \
                       int64_t channels) {                                                                           \
    run(tokens, mask, out, sentences, length, channels);                                                             \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(tokens, mask):
    weight = mask.unsqueeze(-1).expand((8, 128, 384)).float()
    return (tokens * weight).sum(1) / torch.clamp(weight.sum(1), min=1e-09)


def replacement_args(tokens, mask):
    return (tokens, mask)


@torch.fx.wrap
def masked_mean(tokens, mask):
    if not (tokens.is_contiguous() and mask.is_contiguous()) or mask.shape != tokens.shape[:2]:
        raise ValueError("tokens and their mask must be contiguous, the mask with a number for each token")
    sentences, length, channels = tokens.shape
    if channels > 2048:
        raise ValueError("this kernel keeps rows of at most 2048 numbers")
    out = torch.empty(sentences, channels, device=tokens.device)
    KERNELS[tokens.dtype](tokens, mask, out, sentences, length, channels)
    return out


def replacement_func():
    return masked_mean
