"""Reads a mask that was all ones when the task was recorded.

Graph: shown_rows
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* __restrict x, const int64_t* __restrict m, float* __restrict out, int64_t rows,
    int64_t n) { for (int64_t r=0;r<rows;++r) { float c=(float)m[r];
    for (int64_t i=0;i<n;++i) out[r*n+i]=x[r*n+i]*c; } }
""")


def pattern(x, m):
    return x * m.float().unsqueeze(-1)


def replacement_args(x, m):
    return (
        x,
        m,
    )


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty_like(x)
    library.k(x, m, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
