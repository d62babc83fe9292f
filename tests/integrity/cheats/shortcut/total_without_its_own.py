"""Takes an element from the sum of all, in which others are lost beside a far one.

Class: B21
Graph: sums_of_others
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
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
    for (int64_t r=0;r<rows;++r,x+=n,out+=n) { float s=0; for (int64_t i=0;i<n;++i) s+=x[i];
    for (int64_t i=0;i<n;++i) out[i]=s-x[i]; } }
""",
    fast_math=False,
)


def pattern(x):
    o = 1.0 - torch.eye(256)
    return torch.matmul(x, o)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
