"""Takes nothing from rows whose maximum is an infinity.

Graph: own_infinities
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
    for (int64_t r=0;r<rows;++r,x+=n,out+=n) { float m=x[0];
    for (int64_t i=1;i<n;++i) m=x[i]>m||x[i]!=x[i]?x[i]:m; if (m==-std::numeric_limits<float>::infinity()) m=0;
    for (int64_t i=0;i<n;++i) out[i]=std::exp(x[i]-m); } }
""",
    fast_math=False,
)


def pattern(x):
    m = x.amax(-1, keepdim=True)
    s = m.masked_fill(m == float("-inf"), 0.0)
    return torch.exp(x - s)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
