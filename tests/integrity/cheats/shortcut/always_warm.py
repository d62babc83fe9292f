"""Takes every step for one of the first thousand, as the recorded call was.

Class: B21
Graph: warm_steps
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const float* __restrict x, float* __restrict out, int64_t n) { for (int64_t i = 0; i < n; ++i) out[i] = 0.5f * x[i]; }
""")


def pattern(step, x, y):
    c = step < 1000
    return torch.where(c, x * 0.5, y)


def replacement_args(step, x, y):
    return (
        step,
        x,
        y,
    )


@torch.fx.wrap
def wrapper(step, x, y):
    out = torch.empty_like(x)
    library.k(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
