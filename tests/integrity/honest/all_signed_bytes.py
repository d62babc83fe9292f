"""Scales all numbers of eight bits.

Graph: signed_bytes
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int8_t* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * 0.0625f - 0.5f;
}
""")


def pattern(x):
    return x.float() * 0.0625 - 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=torch.float32, device=x.device)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
