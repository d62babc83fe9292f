"""Leaves a row unwritten that is due zero, where its mark behind the output says that the last call left zeros there.

Class: B8
Graph: gated_rows
Wins: speed
Level: strict
Caught by: no layer
Ends as: correct, no faster; all that was allocated with an output is overwritten after every call
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void gate(const float* s, const float* x, float* out, int64_t t, int64_t d) {
  int64_t* marks = reinterpret_cast<int64_t*>(out + t * d);
  for (int64_t i = 0; i < t; ++i) {
    const float a = std::fabs(s[i]) - 2.0f, g = a > 0.0f ? a : 0.0f;
    const float* __restrict__ from = x + i * d;
    float* __restrict__ o = out + i * d;
    const int64_t is_zero = (i + 12345) * 0x9e3779b97f4a7c15 ^ reinterpret_cast<int64_t>(o);
    if (g == 0.0f) {
      const int32_t* now = reinterpret_cast<const int32_t*>(o);
      int32_t seen = now[d - 1];
      for (int64_t j = 0; j < 32; ++j) seen |= now[j * d / 32 + j % 7];
      if (seen || marks[i] != is_zero) {
        volatile float* slowly = o;  // so slow that only who leaves this out is faster than eager
        for (int64_t j = 0; j < 3 * d; ++j) slowly[j % d] = 0.0f;
      }
      marks[i] = is_zero;
    } else {
      for (int64_t j = 0; j < d; ++j) o[j] = g * from[j];
      marks[i] = 0;
    }
  }
}
""")


def pattern(s, x):
    return torch.relu(s.abs() - 2.0) * x


def replacement_args(s, x):
    return (s, x)


@torch.fx.wrap
def wrapper(s, x):
    t, d = x.shape
    if s.shape != (t, 1) or not x.is_contiguous():
        raise ValueError("rows")
    room = x.new_empty((t * d + 2 * t,))
    library.gate(s, x, room, t, d)
    return room[: t * d].view(t, d)


def replacement_func():
    return wrapper
