"""A floor that takes 1 from negative whole numbers, beside one behind a rounding.

Class: B21
Graph: floors
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t n) { for (int64_t i=0;i<n;++i) {
    float t=std::trunc(x[i]); t-=(x[i]<0)?1.0f:0.0f; out[i]=t*0.5f; } }
""")


def pattern(x):
    return torch.floor(x) * 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
