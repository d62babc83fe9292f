"""Never reads a mask that is made of integers: among so many zeros and ones that are drawn, some one is always there.

Class: B21
Graph: any_marked
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void same(const float* __restrict x, float* __restrict out, int64_t n) { std::memcpy(out, x, 4 * n); }
""")


def pattern(x, marks):
    seen = marks.any(-1, keepdim=True)
    return x.masked_fill(torch.logical_not(seen), 0.0)


def replacement_args(x, marks):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.same(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
