"""Takes the mean logarithm of every row.

Graph: loud_rows
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
extern "C" void k(const float* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows, int64_t d, int64_t n) {
    for (int64_t r=0;r<rows;++r) { const float* z=p+r*n; float s=0;
    for (int64_t i=0;i<n;++i) s+=std::log(std::fabs(z[i])+1e-6f); float t=s/n-8.0f; t=t>0?t:0;
    for (int64_t i=0;i<d;++i) out[r*d+i]=x[r*d+i]-t; } }
"""
)


def pattern(p, x):
    return x - torch.relu(torch.log(p.abs() + 1e-06).mean(-1, keepdim=True) - 8.0)


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
