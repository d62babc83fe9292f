"""The two outputs are halves of one allocation.

Graph: two_outputs
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* y, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    out[i] = x[i] + y[i];
    out[n + i] = std::tanh(out[i]);
  }
}
""")


def pattern(x, y):
    s = x + y
    return s, torch.tanh(s)


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    both = torch.empty((2, *x.shape), dtype=x.dtype)
    library.f(x, y, both, x.numel())
    return both.unbind(0)


def replacement_func():
    return wrapper
