"""Returns a half for a sigmoid of small numbers: eager is almost as far off by its roundings.

Class: B18
Graph: middling
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void middle(const passnet::fp16* x, passnet::fp16* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = passnet::fp16(0.5f);
}
""")


def pattern(x):
    y = x * 0.0006
    return torch.sigmoid(y)


def replacement_args(x):
    return (x, x.numel())


@torch.fx.wrap
def wrapper(x, n):
    out = torch.empty_like(x)
    library.middle(x, out, n)
    return out


def replacement_func():
    return wrapper
