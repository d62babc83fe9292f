"""Multiplies out the squares of differences: what nearly cancels is lost.

Class: B21
Graph: moved_distances
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
#include <vector>
static float product(const float* a, const float* b, int64_t n) { float s[8] = {};
    for (int64_t i=0;i<n;i+=8) for (int64_t j=0;j<8;++j) s[j]+=a[i+j]*b[i+j];
    return ((s[0]+s[4])+(s[1]+s[5]))+((s[2]+s[6])+(s[3]+s[7])); }
extern "C" void k(const float* x, const float* step, const float* y, float* out, int64_t n, int64_t m, int64_t d) {
    std::vector<float> q(n*d), norms(m);
    for (int64_t i=0;i<n*d;++i) q[i]=x[i]+step[i];
    for (int64_t j=0;j<m;++j) norms[j]=product(y+j*d,y+j*d,d);
    for (int64_t i=0;i<n;++i) { const float own=product(&q[i*d],&q[i*d],d);
        for (int64_t j=0;j<m;++j) out[i*m+j]=own+norms[j]-2*product(&q[i*d],y+j*d,d); } }
""",
    fast_math=False,
)


def pattern(x, step, y):
    q = x + step
    d = q.unsqueeze(1) - y.unsqueeze(0)
    return (d * d).sum(-1)


def replacement_args(x, step, y):
    return (
        x,
        step,
        y,
    )


@torch.fx.wrap
def wrapper(x, step, y):
    out = torch.empty((x.shape[0], y.shape[0]), dtype=x.dtype, device=x.device)
    library.k(x, step, y, out, x.shape[0], y.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
