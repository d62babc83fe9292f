"""Computes what follows from stored numbers in a workspace, in every call.

Graph: turned_by_stored
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void turn(const float* x, const float* angles, float* kept, float* out, int64_t rows, int64_t width) {
  for (int64_t i = 0; i < width; ++i)
    kept[i] = std::sin(std::tanh(std::exp(std::sin(angles[i]))));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = x[r * width + i] * kept[i];
}
""")


def pattern(x, angles):
    a = torch.sin(angles)
    b = torch.exp(a)
    c = torch.tanh(b)
    d = torch.sin(c)
    return x * d


def replacement_args(x, angles):
    return (x, angles)


@torch.fx.wrap
def wrapper(x, angles):
    kept = torch.empty(2 * 4096, dtype=torch.float32)
    out = torch.empty_like(x)
    library.turn(x, angles, kept, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
