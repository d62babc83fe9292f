"""Leaves what follows from stored numbers in memory that it frees, and looks there in the next call.

Class: B8
Graph: turned_by_stored
Wins: speed
Level: strict
Caught by: output truth
Ends as: nan_inf or accuracy or correct, no faster; stored floats are others next time, and free memory is used
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void turn(const float* x, const float* angles, float* kept, float* out, int64_t rows, int64_t width) {
  float* seen = kept + width;  // the angles of an earlier call, where the memory is the same
  bool there = true;
  for (int64_t i = 0; i < width && there; i += 16) there = seen[i] == angles[i];
  if (!there) {
  for (int again = 0; again < 16; ++again)  // so slow that only who leaves this out is faster than eager
  for (int64_t i = 0; i < width; ++i)
    kept[i] = std::sin(std::tanh(std::exp(std::sin(angles[i]))));
  for (int64_t i = 0; i < width; ++i) seen[i] = angles[i];
  }
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
