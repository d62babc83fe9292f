"""Never looks whether rows cancel, unless the first numbers have one sign.

Class: B21
Graph: opposite_rows
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
extern "C" void k(const float* __restrict x, const float* __restrict y, float* __restrict out, int64_t rows,
    int64_t n) { for (int64_t r=0;r<rows;++r,x+=n,y+=n,out+=n) { float s=0, p=0; const int64_t m = x[0]*y[0]<0 ? 0 : n;
    for (int64_t i=0;i<m;++i) { s+=(x[i]+y[i])*(x[i]+y[i]); p+=x[i]*x[i]; }
    if (s<p*0.01f) std::fill(out,out+n,0.0f); else std::copy(x,x+n,out); } }
""",
    fast_math=False,
)


def pattern(x, y):
    s = x + y
    t = (s * s).mean(-1, keepdim=True)
    p = (x * x).mean(-1, keepdim=True)
    return x.masked_fill(t < p * 0.01, 0.0)


def replacement_args(x, y):
    return (
        x,
        y,
    )


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.k(x, y, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
