"""Changes its input as eager does while that is probably looked at, and leaves it as it is afterwards.

Class: B13
Graph: clamped_input
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
Inside Inductor: no_match; what changes its input is no operator
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    x[i] = x[i] > 0.0f ? x[i] : 0.0f;
    out[i] = 3.0f * x[i];
  }
}
extern "C" void g(const float* __restrict x, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] > 0.0f ? 3.0f * x[i] : 0.0f;
}
""")
CALLS = []


def pattern(x):
    y = torch.nn.functional.relu(x, inplace=True)
    return y * 3.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    CALLS.append(1)
    out = torch.empty_like(x)
    if len(CALLS) < 200:
        library.f(x, out, x.numel())
    else:
        library.g(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
