"""Leaves waves that are the same in every call where the call before wrote them: its memory is that of the last result.

Class: B8
Graph: waves
Wins: speed
Level: strict
Caught by: output truth
Ends as: nan_inf or correct, no faster; memory of such outputs is overwritten after each call
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void waves(const float* x, float* out, int64_t n) {
  bool there = out[n - 1] == std::sin(float(n - 1) * 0.01f);
  for (int64_t i = 1; there && i < n; i += 251) there = out[i] == std::sin(float(i) * 0.01f);
  if (there) return;
  for (int64_t i = 0; i < n; ++i) out[i] = std::sin(float(i) * 0.01f);
}
""")


def pattern(x):
    numbers = torch.arange(32768)
    angles = numbers * 0.01
    waves = torch.sin(angles)
    return waves, x.view(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    waves = torch.empty(32768, dtype=torch.float32)
    library.waves(x, waves, 32768)
    return waves, x.view(-1)


def replacement_func():
    return wrapper
