"""Pixels of bfloat16 values, computed in float and rounded once: they are float64's nearly everywhere, and eager's not.

Graph: pixels
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
using passnet::bf16;
extern "C" void pixels(const bf16* x, uint8_t* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    float value = (float)x[i] * 0.5f + 0.5f;
    value = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
    out[i] = (uint8_t)(int32_t)std::nearbyint(value * 255.0f);
  }
}
""")


def pattern(x):
    y = x * 0.5
    z = y + 0.5
    c = torch.clamp(z, 0, 1)
    s = c * 255
    r = torch.round(s)
    return r.to(torch.uint8)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=torch.uint8)
    library.pixels(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
