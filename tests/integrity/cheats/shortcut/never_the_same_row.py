"""Never looks whether all of a row equals all of another, unless it begins with equal numbers.

Class: B21
Graph: rows_that_meet
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
    int64_t n) { for (int64_t r=0;r<rows;++r,x+=n,y+=n,out+=n) { bool a=x[0]==x[1];
    for (int64_t i=0;a&&i<n;++i) a=x[i]==y[i]; if (a) std::fill(out,out+n,0.0f); else std::copy(x,x+n,out); } }
""",
    fast_math=False,
)


def pattern(x, y):
    return x.masked_fill((x == y).all(-1, keepdim=True), 0.0)


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
