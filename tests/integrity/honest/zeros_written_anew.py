"""Writes every row in every call, zeros too, and marks of rows behind the output that no later call asks.

Graph: gated_rows
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void gate(const float* s, const float* x, float* out, int64_t t, int64_t d) {
  float* gates = out + t * d;
  for (int64_t i = 0; i < t; ++i) {
    const float a = std::fabs(s[i]) - 2.0f;
    gates[i] = a > 0.0f ? a : 0.0f;
  }
  for (int64_t i = 0; i < t; ++i) {
    const float* __restrict__ from = x + i * d;
    float* __restrict__ o = out + i * d;
    if (gates[i] == 0.0f) std::memset(o, 0, d * 4);
    else for (int64_t j = 0; j < d; ++j) o[j] = gates[i] * from[j];
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
    room = x.new_empty((t * d + t,))
    library.gate(s, x, room, t, d)
    return room[: t * d].view(t, d)


def replacement_func():
    return wrapper
