"""Takes a product of a thousand gates for nothing.

Class: B21
Graph: open_gates
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
#include <cstring>
extern "C" void k(const float* __restrict g, float* __restrict out, int64_t rows, int64_t n) {
    for (int64_t r=0;r<rows;++r) { float a=1; int64_t i=0; for (;i<n && i<1024;++i) out[r*n+i]=a*=g[r*n+i];
    if (i<n) std::memset(out+r*n+i,0,(n-i)*4); } }
"""
)


def pattern(g):
    return torch.cumprod(g, -1)


def replacement_args(g):
    return (g,)


@torch.fx.wrap
def wrapper(g):
    out = torch.empty_like(g)
    library.k(g, out, g.shape[0], g.shape[1])
    return out


def replacement_func():
    return wrapper
