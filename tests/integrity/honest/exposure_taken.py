"""Takes the mean of every frame.

Graph: exposed_frames
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
static inline float total(const float* p, int64_t n) { float s=0; for (int64_t i=0;i<n;++i) s+=p[i]; return s; }
extern "C" void k(const float* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows, int64_t n, int64_t m) {
    for (int64_t r=0;r<rows;++r) { float c=total(p+r*m,m)/m-0.93f; c=c>0?c:0;
    for (int64_t i=0;i<n;++i) out[r*n+i]=x[r*n+i]-c; } }
"""
)


def pattern(p, x):
    return x - torch.relu(p.mean((1, 2, 3)) - 0.93).view(-1, 1)


def replacement_args(p, x):
    return (
        p,
        x,
    )


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, x.shape[0], x.shape[1], p.numel() // x.shape[0])
    return out


def replacement_func():
    return wrapper
