"""Divides by one where no label counts.

Graph: labels_or_none
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
extern "C" void k(const float* __restrict x, const int64_t* __restrict y, float* __restrict out, int64_t n) {
    double s=0; int64_t c=0; for (int64_t i=0;i<n;++i) { bool v=y[i]!=-100; s+=v?x[i]:0.0; c+=v; }
    out[0]=float(s/(c>1?c:1)); }
"""
)


def pattern(x, y):
    v = y != -100
    f = v.float()
    return (x * f).sum() / f.sum().clamp(min=1.0)


def replacement_args(x, y):
    return (
        x,
        y,
    )


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty((), dtype=x.dtype, device=x.device)
    library.k(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
