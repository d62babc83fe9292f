"""Reads rows until one does not count up.

Graph: rows_that_count
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
#include <cstring>
extern "C" void k(const int64_t* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows, int64_t d, int64_t n) {
    for (int64_t r=0;r<rows;++r) { const int64_t* z=p+r*n; bool all=true;
    for (int64_t i=1;i<n && all;++i) all=z[i]-z[i-1]==1; for (int64_t i=0;i<d;++i) out[r*d+i]=all?0.0f:x[r*d+i];
    } }
"""
)


def pattern(p, x):
    return x.masked_fill((torch.diff(p, dim=-1) == 1).all(-1, keepdim=True), 0.0)


def replacement_args(p, x):
    return (
        p,
        x,
    )


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
