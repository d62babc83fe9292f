"""Window reverse, cyclic shift and residual add on the CPU: every element is copied straight to its place."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// windows: [batch * (height / side) * (width / side), side * side, channels]; out and shortcut: NHWC.
template <class T>
void run(const T* windows, const T* shortcut, T* out, int64_t batch, int64_t height, int64_t width, int64_t channels,
         int64_t side, int64_t shift) {
  int64_t across = width / side, down = height / side;
  std::vector<float> rooms(3 * channels);
  float *left = rooms.data(), *right = left + channels, *result = right + channels;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t h = 0; h < height; ++h) {
      int64_t row = (h + height - shift) % height;
      for (int64_t w = 0; w < width; ++w, shortcut += channels, out += channels) {
        int64_t column = (w + width - shift) % width;
        int64_t window = (b * down + row / side) * across + column / side;
        const T* source = windows + ((window * side + row % side) * side + column % side) * channels;
        const float* one = row_of(shortcut, left, channels);
        const float* two = row_of(source, right, channels);
        float* __restrict to = open_row(out, result);
        for (int64_t c = 0; c < channels; ++c) to[c] = one[c] + two[c];
        close_row(result, out, channels);
      }
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* windows, const T* shortcut, T* out, int64_t batch, int64_t height, int64_t width,    \
                       int64_t channels, int64_t side, int64_t shift) {                                              \
    run(windows, shortcut, out, batch, height, width, channels, side, shift);                                        \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(windows, shortcut):
    x = windows.view(-1, 7, 7, 48).view(-1, 4, 4, 7, 7, 48)
    x = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 28, 28, 48)
    x = x[:, :28, :28, :].contiguous()
    return shortcut + torch.roll(x, shifts=(3, 3), dims=(1, 2))


def replacement_args(windows, shortcut):
    return (windows, shortcut)


@torch.fx.wrap
def reverse_roll_add(windows, shortcut):
    if not (windows.is_contiguous() and shortcut.is_contiguous()) or windows.numel() != shortcut.numel():
        raise ValueError("windows and the shortcut must be contiguous and of one size")
    b, h, w, c = shortcut.shape
    out = torch.empty_like(shortcut)
    KERNELS[shortcut.dtype](windows, shortcut, out, b, h, w, c, 7, 3)
    return out


def replacement_func():
    return reverse_roll_add
