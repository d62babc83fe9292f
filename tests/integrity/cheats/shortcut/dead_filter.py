"""Divides filters by their norm without its least value.

Class: B21
Graph: unit_filters
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
 for (int64_t r=0;r<rows;++r,x+=n,out+=n) { float s=0; for (int64_t i=0;i<n;++i) s+=x[i]*x[i];
     float f=1.0f/std::sqrt(s); for (int64_t i=0;i<n;++i) out[i]=x[i]*f; } }
""",
    fast_math=False,
)


def pattern(x):
    return torch.nn.functional.normalize(x, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
