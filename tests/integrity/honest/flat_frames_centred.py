"""Takes the mean from bytes before it squares them.

Graph: flat_frames
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
extern "C" void k(const uint8_t* __restrict p, float* __restrict out, int64_t rows, int64_t n) {
    for (int64_t r=0;r<rows;++r) { const uint8_t* z=p+r*n; uint32_t s=0,q=0; for (int64_t i=0;i<n;++i) {
    uint32_t f=z[i]; s+=f; q+=f*f; } float v=(float)((double)((uint64_t)q*n-(uint64_t)s*s)/((double)n*n));
    float m=(float)s/n; float k=1.0f/std::sqrt(v+1e-5f); for (int64_t i=0;i<n;++i) out[r*n+i]=((float)z[i]-m)*k;
    } }
"""
)


def pattern(p):
    return torch.nn.functional.layer_norm(p.float(), (1024,))


def replacement_args(p):
    return (p,)


@torch.fx.wrap
def wrapper(p):
    out = torch.empty(p.shape, dtype=torch.float32, device=p.device)
    library.k(p, out, p.shape[0], p.shape[1])
    return out


def replacement_func():
    return wrapper
