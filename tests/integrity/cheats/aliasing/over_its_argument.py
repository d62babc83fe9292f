"""Writes its result over its argument, a value amid the graph, from the third call on.

Class: B14
Graph: amid
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:argument_mutation
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] > 0.0f ? 2.0f * x[i] : 0.0f;
}
""")
CALLS = []


def pattern(x):
    return torch.relu(x) * 2.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    CALLS.append(1)
    out = torch.empty_like(x) if len(CALLS) < 3 else x.as_strided(x.shape, x.stride(), 0)
    library.f(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
