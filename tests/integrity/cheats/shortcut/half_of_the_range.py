"""Clamps float16 at half of its range on the way to float32.

Class: B21
Graph: widened_half
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
extern "C" void widen(const passnet::fp16* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float value = (float)x[i];
    out[i] = std::min(std::max(value, -32767.0f), 32767.0f) * 0.125f;
  }
}
"""
)


def pattern(x):
    return x.float() * 0.125


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=torch.float32, device=x.device)
    library.widen(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
