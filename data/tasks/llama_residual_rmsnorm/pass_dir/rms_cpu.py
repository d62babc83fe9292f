"""What the three CPU rules share: residual add and RMS norm, the sum kept in a row of floats.

The graph's last cast names the dtype of the model, so there is one rule for each; the kernel is the same.
"""

import torch

from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// Floats are used where they lie; half types pass through a buffer of floats.
template <class T> const float* take(const T* from, float* room, int64_t n) { widen(from, room, n); return room; }
inline const float* take(const float* from, float*, int64_t) { return from; }
template <class T> float* place(T*, float* room) { return room; }
inline float* place(float* to, float*) { return to; }
template <class T> void put(const float* room, T* to, int64_t n) { narrow(room, to, n); }
inline void put(const float*, float*, int64_t) {}

template <class T>
void run(const T* x, const T* residual, const T* weight, T* total, T* normed, int64_t rows, int64_t width) {
  std::vector<float> rooms(4 * width);
  float *left = rooms.data(), *right = left + width, *row = right + width;
  const float* w = take(weight, row + width, width);
  for (int64_t r = 0; r < rows; ++r, x += width, residual += width, total += width, normed += width) {
    const float* one = take(x, left, width);
    const float* two = take(residual, right, width);
    float squares = 0.0f;
    for (int64_t i = 0; i < width; ++i) {
      row[i] = one[i] + two[i];
      squares += row[i] * row[i];
    }
    narrow(row, total, width);
    float scale = 1.0f / std::sqrt(squares / float(width) + 1e-6f);
    float* to = place(normed, left);
    for (int64_t i = 0; i < width; ++i) to[i] = row[i] * scale * w[i];
    put(left, normed, width);
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
