"""All of float16 in float32.

Graph: widened_half
Level: strict
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
    out[i] = value * 0.125f;
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
