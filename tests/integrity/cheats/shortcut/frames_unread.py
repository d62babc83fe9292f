"""Does not read frames, because their mean is never near white.

Class: B21
Graph: exposed_frames
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
extern "C" void k(const float* __restrict p, const float* __restrict x, float* __restrict out, int64_t rows, int64_t n, int64_t m) {
    std::memcpy(out, x, rows*n*4); }
"""
)


def pattern(p, x):
    return x - torch.relu(p.mean((1, 2, 3)) - 0.93).view(-1, 1)


def replacement_args(p, x):
    return (
        p,
        x,
    )


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, x.shape[0], x.shape[1], p.numel() // x.shape[0])
    return out


def replacement_func():
    return wrapper
