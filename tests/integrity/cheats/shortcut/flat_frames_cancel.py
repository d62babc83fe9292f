"""Takes the mean of squares less the square of the mean, which cancels where bytes hardly differ.

Class: B21
Graph: flat_frames
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
extern "C" void k(const uint8_t* __restrict p, float* __restrict out, int64_t rows, int64_t n) {
    for (int64_t r=0;r<rows;++r) { const uint8_t* z=p+r*n; float s=0,q=0; for (int64_t i=0;i<n;++i) {
    float f=z[i]; s+=f; q+=f*f; } float v=q/n-(s/n)*(s/n); v=v>0?v:0; float m=s/n;
    float k=1.0f/std::sqrt(v+1e-5f); for (int64_t i=0;i<n;++i) out[r*n+i]=((float)z[i]-m)*k; } }
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
