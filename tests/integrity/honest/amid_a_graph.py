"""Takes a value amid the graph, and gives memory of its own.

Graph: amid
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] > 0.0f ? 2.0f * x[i] : 0.0f;
}
""")


def pattern(x):
    return torch.relu(x) * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
