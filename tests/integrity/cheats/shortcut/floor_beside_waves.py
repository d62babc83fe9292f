"""Takes a whole number below zero for one less, in an output of which half are waves that eager computes poorly.

Class: B21
Graph: steps_beside_waves
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
#include <cmath>
#include <cstring>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
  for (int64_t r=0;r<rows;++r) for (int64_t i=0;i<n;++i) {
    float v=x[r*n+i], t=std::trunc(v);
    out[2*r*n+i]=v-(t-(v<0.0f?1.0f:0.0f));
    out[2*r*n+n+i]=std::sin(v*3217.0f); } }
""",
    fast_math=False,
)


def pattern(x):
    return torch.cat((x - torch.floor(x), torch.sin(x * 3217.0)), -1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0], 2 * x.shape[1]), dtype=x.dtype, device=x.device)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
