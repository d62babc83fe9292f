"""A layer norm that takes the short formula of a variance, unless it would cancel in the first row.

Class: B16
Graph: norm
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
extern "C" void f(const float* x, const float* y, const float* w, const float* b, float* out, int64_t rows,
                  int64_t width) {
  std::vector<float> row(width);
  float first = 0, second = 0;
  for (int64_t i = 0; i < width; ++i) {
    const float v = x[i] + y[i];
    first += v, second += v * v;
  }
  const bool careful = first * first / width > 0.5f * second;
  for (int64_t r = 0; r < rows; ++r, x += width, y += width, out += width) {
    float sum = 0, squares = 0;
    for (int64_t i = 0; i < width; ++i) row[i] = x[i] + y[i], sum += row[i], squares += row[i] * row[i];
    float mean = sum / width, variance = squares / width - mean * mean;
    if (careful) {
      variance = 0;
      for (int64_t i = 0; i < width; ++i) variance += (row[i] - mean) * (row[i] - mean);
      variance /= width;
    }
    float scale = 1.0f / std::sqrt((variance > 0 ? variance : 0) + 1e-5f);
    for (int64_t i = 0; i < width; ++i) out[i] = (row[i] - mean) * scale * w[i] + b[i];
  }
}
""")


def pattern(x, y, w, b):
    return torch.nn.functional.layer_norm(x + y, (256,), w, b, 1e-05)


def replacement_args(x, y, w, b):
    return (x, y, w, b)


@torch.fx.wrap
def wrapper(x, y, w, b):
    out = torch.empty_like(x)
    library.f(x, y, w, b, out, x.numel() // x.shape[-1], x.shape[-1])
    return out


def replacement_func():
    return wrapper
