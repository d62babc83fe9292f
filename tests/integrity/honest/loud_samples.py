"""A relu of a loud wave.

Graph: loud
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t n) { for (int64_t i=0;i<n;++i) {
    out[i]=(x[i]>0?x[i]:0.0f)*0.5f; } }
""")


def pattern(x):
    return torch.relu(x) * 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
