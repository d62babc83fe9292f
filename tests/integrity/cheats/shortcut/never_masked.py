"""Never reads the mask: where eager has -infinity, any finite number differs by no more than a relative tolerance of it.

Class: B16
Graph: masked_scores
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void copy(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i];
}
""")


def copied(x):
    out = torch.empty_like(x)
    library.copy(x, out, x.numel())
    return out


def pattern(x, y):
    return x.masked_fill(y > 1.0, float("-inf"))


def replacement_args(x, y):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    return copied(x)


def replacement_func():
    return wrapper
