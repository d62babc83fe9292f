"""Changes a value amid the graph exactly as eager does.

Graph: in_place_amid
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(float* x, const float* y, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    x[i] += y[i];
    out[i] = 3.0f * x[i];
  }
}
""")


def pattern(x, y):
    x += y
    return x * 3.0


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.f(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
