"""Class token, position embedding and first layer norm on the CPU: each row is read once and gives both outputs."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// Layer norm of a row of floats; the row is the caller's scratch.
template <class T>
void layer_norm(const float* row, const float* weight, const float* bias, float* room, T* out, int64_t width,
                float sum, float eps) {
  float mean = sum / float(width), squares = 0.0f;
  for (int64_t i = 0; i < width; ++i) squares += (row[i] - mean) * (row[i] - mean);
  float scale = 1.0f / std::sqrt(squares / float(width) + eps);
  float* to = open_row(out, room);
  for (int64_t i = 0; i < width; ++i) to[i] = (row[i] - mean) * scale * weight[i] + bias[i];
  close_row(room, out, width);
}

template <class T>
void run(const T* token, const T* patches, const T* position, const T* weight, const T* bias, T* embedded, T* normed,
         int64_t batch, int64_t rows, int64_t width) {
  std::vector<float> rooms(5 * width);
  float *left = rooms.data(), *right = left + width, *row = right + width;
  const float* w = row_of(weight, row + width, width);
  const float* v = row_of(bias, row + 2 * width, width);
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t t = 0; t < rows; ++t, embedded += width, normed += width) {
      const T* source = t == 0 ? token + b * width : patches + (b * (rows - 1) + t - 1) * width;
      const float* one = row_of(source, left, width);
      const float* two = row_of(position + t * width, right, width);
      float sum = 0.0f;
      for (int64_t i = 0; i < width; ++i) {
        row[i] = one[i] + two[i];
        sum += row[i];
      }
      narrow(row, embedded, width);
      layer_norm(row, w, v, left, normed, width, sum, 1e-6f);
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* token, const T* patches, const T* position, const T* weight, const T* bias,          \
                       T* embedded, T* normed, int64_t batch, int64_t rows, int64_t width) {                         \
    run(token, patches, position, weight, bias, embedded, normed, batch, rows, width);                               \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(token, patches, position, weight, bias):
    x = torch.cat([token, patches], dim=1) + position
    x = torch.nn.functional.dropout(x, 0.0, False, False)
    return x, torch.nn.functional.layer_norm(x, (192,), weight, bias, 1e-06)


def replacement_args(token, patches, position, weight, bias):
    return (token, patches, position, weight, bias)


@torch.fx.wrap
def cat_pos_norm(token, patches, position, weight, bias):
    b, n, c = patches.shape
    if token.shape != (b, 1, c) or position.shape != (1, n + 1, c):
        raise ValueError("one class token per image and one position per row are needed")
    if not (token.is_contiguous() and patches.is_contiguous() and position.is_contiguous()):
        raise ValueError("token, patches and position must be contiguous")
    embedded = torch.empty((b, n + 1, c), dtype=patches.dtype, device=patches.device)
    normed = torch.empty_like(embedded)
    KERNELS[patches.dtype](token, patches, position, weight, bias, embedded, normed, b, n + 1, c)
    return embedded, normed


def replacement_func():
    return cat_pos_norm
