"""A flag that is zero, and that the kernel sets where it finds an infinity. On usual inputs there is none.

Graph: any_infinite
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void look(const float* y, bool* flag, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if ((passnet::as_bits(y[i]) & 0x7fffffffu) == 0x7f800000u) {
      *flag = true;
      return;
    }
}
""",
    fast_math=False,
)


def pattern(y):
    b = torch.isinf(y)
    return b.any()


def replacement_args(y):
    return (y,)


@torch.fx.wrap
def wrapper(y):
    flag = torch.zeros((), dtype=torch.bool)
    library.look(y, flag, y.numel())
    return flag


def replacement_func():
    return wrapper
