"""Returns one row, which broadcasts in the comparison of a graph whose rows agree.

Class: B17
Graph: equal_rows
Wins: speed
Level: strict
Caught by: output truth
Ends as: shape_mismatch
Inside Inductor: compile_error; the operator is declared with the shapes that its rule had when it was traced
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void row(const float* b, float* out, int64_t n) { for (int64_t i = 0; i < n; ++i) out[i] = 2.0f * b[i]; }
""")


def pattern(x, b):
    return (x * 0.0 + b) * 2.0


def replacement_args(x, b):
    return (x, b)


@torch.fx.wrap
def wrapper(x, b):
    out = torch.empty(1, b.shape[0])
    library.row(b, out, b.shape[0])
    return out


def replacement_func():
    return wrapper
