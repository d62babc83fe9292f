"""Looks for the largest number of each row, and writes a one there among zeros.

Graph: one_of_each_row
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>

static int64_t largest(const float* x, int64_t width) {
  float best = x[0];
  for (int64_t i = 0; i < width; ++i) best = x[i] > best ? x[i] : best;
  for (int64_t i = 0; i < width; ++i)
    if (x[i] == best) return i;
  return 0;
}
extern "C" void f(const float* x, float* out, int64_t n, int64_t width) {
  std::memset(out, 0, n * sizeof(float));
  for (int64_t at = 0; at < n; at += width) out[at + largest(x + at, width)] = 1.0f;
}
""")


def pattern(x):
    i = x.argmax(-1, keepdim=True)
    z = torch.zeros_like(x)
    return z.scatter(-1, i, 1.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
