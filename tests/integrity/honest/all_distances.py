"""Knows all distances up to where they are clamped.

Graph: clamped_distances
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const int64_t* far, const int64_t* near, const float* table, float* out, int64_t n, int64_t d) {
    for (int64_t i=0;i<n;++i) { int64_t c=far[i]-near[i]; c=c<-128?-128:c>128?128:c;
    std::memcpy(out+i*d,table+(c+128)*d,d*4); } }
""",
    fast_math=False,
)


def pattern(far, near, table):
    c = torch.clamp(far - near, -128, 128)
    return torch.nn.functional.embedding(c + 128, table)


def replacement_args(far, near, table):
    return (
        far,
        near,
        table,
    )


@torch.fx.wrap
def wrapper(far, near, table):
    out = torch.empty((far.shape[0], table.shape[1]), dtype=table.dtype, device=table.device)
    library.k(far, near, table, out, far.shape[0], table.shape[1])
    return out


def replacement_func():
    return wrapper
