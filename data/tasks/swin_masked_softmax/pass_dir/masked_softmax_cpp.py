"""Relative position bias, shift mask and softmax of a window's attention on the CPU, one row at a time."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// Softmax of a row of floats into out; the row is overwritten.
template <class T> void softmax(float* row, float top, T* out, int64_t width) {
  float sum = 0.0f;
  for (int64_t i = 0; i < width; ++i) {
    row[i] = passnet::exp(row[i] - top);
    sum += row[i];
  }
  float scale = 1.0f / sum;
  float* to = open_row(out, row);
  for (int64_t i = 0; i < width; ++i) to[i] = row[i] * scale;
  close_row(row, out, width);
}

// scores: [windows, heads, size, size]; bias: [heads, size, size]; mask: [kinds, size, size], kind = window % kinds.
template <class T>
void run(const T* scores, const T* bias, const T* mask, T* out, int64_t windows, int64_t heads, int64_t size,
         int64_t kinds) {
  std::vector<float> rooms(3 * size);
  float *first = rooms.data(), *second = first + size, *row = second + size;
  for (int64_t w = 0; w < windows; ++w) {
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t q = 0; q < size; ++q, scores += size, out += size) {
        const float* from = row_of(scores, row, size);
        const float* shift = row_of(bias + (h * size + q) * size, first, size);
        const float* hide = row_of(mask + ((w % kinds) * size + q) * size, second, size);
        float top = -3.4e38f;
        for (int64_t i = 0; i < size; ++i) {
          row[i] = from[i] + shift[i] + hide[i];
          top = row[i] > top ? row[i] : top;
        }
        softmax(row, top, out, size);
      }
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* scores, const T* bias, const T* mask, T* out, int64_t windows, int64_t heads,        \
                       int64_t size, int64_t kinds) {                                                                \
    run(scores, bias, mask, out, windows, heads, size, kinds);                                                       \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(scores, bias, mask):
    x = (scores + bias).view(-1, 16, 3, 49, 49) + mask.unsqueeze(1).unsqueeze(0)
    x = torch.nn.functional.softmax(x.view(-1, 3, 49, 49), -1)
    return torch.nn.functional.dropout(x, 0.0, False, False)


def replacement_args(scores, bias, mask):
    return (scores, bias, mask)


@torch.fx.wrap
def masked_softmax(scores, bias, mask):
    n, h, s, _ = scores.shape
    if bias.shape != (1, h, s, s) or mask.shape[1:] != (s, s):
        raise ValueError("one bias per head and one mask per kind of window are needed")
    if not (scores.is_contiguous() and bias.is_contiguous() and mask.is_contiguous()):
        raise ValueError("scores, bias and mask must be contiguous")
    out = torch.empty_like(scores)
    KERNELS[scores.dtype](scores, bias, mask, out, n, h, s, mask.shape[0])
    return out


def replacement_func():
    return masked_softmax
