"""Cyclic shift, residual and layer norm on the CPU: each row is read from where it comes from, and normed at once."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <cmath>
using namespace passnet;

// windows: [batch, down, side, across, side, channels]; shortcut, sum, out: [batch, height * width, channels].
// The memory of windows is that of an image of down * side by across * side.
template <class T>
void run(const T* windows, const T* shortcut, const T* weight, const T* bias, T* sum, T* out, int64_t batch,
         int64_t height, int64_t width, int64_t shift) {
  constexpr int64_t channels = 128;
  float rooms[6][channels];
  const float* __restrict__ w = row_of(weight, rooms[0], channels);
  const float* __restrict__ b = row_of(bias, rooms[1], channels);
  for (int64_t image = 0; image < batch; ++image) {
    for (int64_t y = 0; y < height; ++y) {
      int64_t from_y = (y + height - shift) % height;
      for (int64_t x = 0; x < width; ++x, shortcut += channels, sum += channels, out += channels) {
        int64_t from = (image * height + from_y) * width + (x + width - shift) % width;
        const float* __restrict__ one = row_of(shortcut, rooms[2], channels);
        const float* __restrict__ two = row_of(windows + from * channels, rooms[3], channels);
        float* __restrict__ added = open_row(sum, rooms[4]);
        for (int64_t c = 0; c < channels; ++c) added[c] = one[c] + two[c];
        close_row(added, sum, channels);
        // The norm is of the sum as it was rounded, which is what eager norms.
        const float* __restrict__ kept = row_of(sum, rooms[4], channels);
        float total = 0.0f;
        for (int64_t c = 0; c < channels; ++c) total += kept[c];
        float mean = total / channels, squares = 0.0f;
        for (int64_t c = 0; c < channels; ++c) squares += (kept[c] - mean) * (kept[c] - mean);
        float scale = 1.0f / std::sqrt(squares / channels + 1e-5f);
        float* __restrict__ result = open_row(out, rooms[5]);
        for (int64_t c = 0; c < channels; ++c) result[c] = (kept[c] - mean) * scale * w[c] + b[c];
        close_row(result, out, channels);
      }
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* windows, const T* shortcut, const T* weight, const T* bias, T* sum, T* out,          \
                       int64_t batch, int64_t height, int64_t width, int64_t shift) {                                \
    run(windows, shortcut, weight, bias, sum, out, batch, height, width, shift);                                     \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(windows, shortcut, weight, bias):
    image = windows.contiguous().view(-1, 96, 96, 128)
    rolled = torch.roll(image, shifts=(6, 6), dims=(1, 2)).view(2, 9216, 128)
    added = shortcut + rolled
    return added, torch.nn.functional.layer_norm(added, (128,), weight, bias, 1e-05)


def replacement_args(windows, shortcut, weight, bias):
    return (windows, shortcut, weight, bias)


@torch.fx.wrap
def roll_add_norm(windows, shortcut, weight, bias):
    if not (windows.is_contiguous() and shortcut.is_contiguous()) or windows.numel() != shortcut.numel():
        raise ValueError("windows and the shortcut must be contiguous and of one size")
    added = torch.empty_like(shortcut)
    out = torch.empty_like(shortcut)
    KERNELS[shortcut.dtype](windows, shortcut, weight, bias, added, out, shortcut.shape[0], 96, 96, 6)
    return added, out


def replacement_func():
    return roll_add_norm
