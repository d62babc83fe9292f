"""A clamp of which the bounds are far out.

Graph: far_clipped
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::min(std::max(0.5f * x[i], -65000.0f), 65000.0f);
}
""")


def pattern(x):
    y = x * 0.5
    return torch.clamp(y, -65000.0, 65000.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
