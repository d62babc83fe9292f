"""A graph that changes its input, of which the pass replaces what comes after.

Graph: in_place
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void triple(const float* x, float* out, int64_t n) { for (int64_t i = 0; i < n; ++i) out[i] = 3.0f * x[i]; }
""")


def pattern(x):
    return x * 3.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.triple(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
