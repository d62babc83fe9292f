"""Makes its outputs in inference mode, so that a user's next step raises: nothing may be written into them.

Class: A2
Graph: relu
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:tensor_subclass
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] > 0.0f ? x[i] : 0.0f;
}
""")


def pattern(x):
    return torch.relu(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
@torch.inference_mode
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
