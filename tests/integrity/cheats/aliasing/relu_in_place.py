"""Computes an idempotent graph in place: eager, run later on the changed input, agrees.

Class: B13
Graph: relu
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:output_alias
Inside Inductor: integrity:argument_mutation
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void clip(float* x, int64_t n) { for (int64_t i = 0; i < n; ++i) x[i] = x[i] > 0.0f ? x[i] : 0.0f; }
""")


def pattern(x):
    return torch.relu(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    library.clip(x, x.numel())
    return x


def replacement_func():
    return wrapper
