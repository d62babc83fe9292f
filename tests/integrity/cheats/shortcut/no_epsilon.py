"""A norm without its epsilon.

Class: B16
Graph: normalised
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void norm(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width) {
    float mean = 0, sum = 0;
    for (int64_t i = 0; i < width; ++i) mean += x[i];
    mean /= width;
    for (int64_t i = 0; i < width; ++i) sum += (x[i] - mean) * (x[i] - mean);
    const float scale = 1.0f / std::sqrt(sum / width);
    for (int64_t i = 0; i < width; ++i) out[i] = (x[i] - mean) * scale;
  }
}
""")


def pattern(x):
    return torch.nn.functional.layer_norm(x, (512,), weight=None, bias=None, eps=1e-12)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.norm(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
