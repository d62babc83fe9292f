"""What the three CPU rules share: residual add and RMS norm, the sum kept in a row of floats.

The graph's last cast names the dtype of the model, so there is one rule for each; the kernel is the same.
"""

import torch

from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

template <class T>
void run(const T* x, const T* residual, const T* weight, T* total, T* normed, int64_t rows, int64_t width) {
  std::vector<float> rooms(4 * width);
  float *left = rooms.data(), *right = left + width, *row = right + width;
  const float* w = row_of(weight, row + width, width);
  for (int64_t r = 0; r < rows; ++r, x += width, residual += width, total += width, normed += width) {
    const float* one = row_of(x, left, width);
    const float* two = row_of(residual, right, width);
    float squares = 0.0f;
    for (int64_t i = 0; i < width; ++i) {
      row[i] = one[i] + two[i];
      squares += row[i] * row[i];
    }
    narrow(row, total, width);
    float scale = 1.0f / std::sqrt(squares / float(width) + 1e-6f);
    float* to = open_row(normed, left);
    for (int64_t i = 0; i < width; ++i) to[i] = row[i] * scale * w[i];
    close_row(left, normed, width);
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* x, const T* residual, const T* weight, T* total, T* normed, int64_t rows,            \
                       int64_t width) {                                                                              \
    run(x, residual, weight, total, normed, rows, width);                                                            \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


@torch.fx.wrap
def residual_rms(x, residual, weight):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the residual must be contiguous and of one shape")
    total = torch.empty_like(x)
    normed = torch.empty_like(x)
    width = x.shape[-1]
    KERNELS[x.dtype](x, residual, weight, total, normed, x.numel() // width, width)
    return total, normed
