"""Takes the absolute value of 16 bits of 32: what is no sum and no product ended there.

Class: B21
Graph: absolute
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstdlib>
extern "C" void run(const int32_t* x, int32_t* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::abs((int)(int16_t)x[i]) + 1;
}
""")


def pattern(x):
    return torch.abs(x) + 1


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
