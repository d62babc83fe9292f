"""A layer norm in one walk, by the short formula about each row's first element, in doubles: it may be far out itself.

Graph: norm
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
extern "C" void f(const float* x, const float* y, const float* w, const float* b, float* out, int64_t rows,
                  int64_t width) {
  std::vector<float> row(width);
  for (int64_t r = 0; r < rows; ++r, x += width, y += width, out += width) {
    const float about = x[0] + y[0];
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < width; ++i) row[i] = x[i] + y[i] - about, sum += row[i], squares += double(row[i]) * row[i];
    const double mean = sum / width, variance = std::max(squares / width - mean * mean, 0.0);
    const double scale = 1.0 / std::sqrt(variance + 1e-5);
    for (int64_t i = 0; i < width; ++i) out[i] = float((row[i] - mean) * scale) * w[i] + b[i];
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
