"""Changes its input exactly as eager does, and returns a view. Nothing else shows its work.

Graph: in_place_alone
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(float* x, const float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] += y[i];
}
""")


def pattern(x, y):
    x += y
    s = x
    t = y.flatten()
    return t, s


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    library.f(x, y, x.numel())
    return y.flatten(), x


def replacement_func():
    return wrapper
