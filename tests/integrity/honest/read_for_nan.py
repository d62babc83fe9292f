"""Reads every element, for one of them may be NaN.

Graph: rows_with_nan
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
#include <cstring>
static bool has(const float* x, int64_t n) {
    uint32_t found = 0;
    for (int64_t i=0;i<n;++i) { uint32_t u; std::memcpy(&u,x+i,4); found |= (u&0x7fffffffu)>0x7f800000u; }
    return found; }
extern "C" void k(const float* x, const float* a, const float* b, float* out, int64_t rows, int64_t n) {
    for (int64_t r=0;r<rows;++r) out[r] = has(x+r*n,n) ? a[r] : b[r]; }
""",
    fast_math=False,
)


def pattern(x, a, b):
    m = torch.isnan(x)
    o = m.any(dim=-1)
    return torch.where(o, a, b)


def replacement_args(x, a, b):
    return (x, a, b)


@torch.fx.wrap
def wrapper(x, a, b):
    out = torch.empty_like(b)
    library.k(x, a, b, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
