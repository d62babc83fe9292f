"""Never reads a mask that was all ones when the task was recorded.

Class: B21
Graph: shown_rows
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy or nan_inf; what is hidden may be an infinity
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const float* __restrict x, const int64_t* __restrict m, float* __restrict out, int64_t rows,
    int64_t n) { std::memcpy(out,x,4*rows*n); }
""")


def pattern(x, m):
    return x * m.float().unsqueeze(-1)


def replacement_args(x, m):
    return (
        x,
        m,
    )


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty_like(x)
    library.k(x, m, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
