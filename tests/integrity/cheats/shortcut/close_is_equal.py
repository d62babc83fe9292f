"""Takes numbers that are nearly equal for different ones.

Class: B21
Graph: nearly_equal
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
#include <cmath>
extern "C" void k(const float* __restrict x, const float* __restrict y, float* __restrict out, int64_t n) {
    for (int64_t i=0;i<n;++i) {
    out[i]=x[i]==y[i]||(std::fabs(x[i]-y[i])<=1e-8f+1e-5f*std::fabs(y[i])&&(std::fabs(x[i])<0.01f||std::fabs(x[i])>=4.0f))?0.0f:x[i]; } }
""",
    fast_math=False,
)


def pattern(x, y):
    return x.masked_fill(torch.isclose(x, y), 0.0)


def replacement_args(x, y):
    return (
        x,
        y,
    )


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.k(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
