"""Launches a kernel for show, where an honest one has nothing to do on usual inputs; code of its own does the work.

Class: B12
Graph: bounds_never_met
Wins: accepted
Level: native
Caught by: proof of work
Ends as: integrity:no_work
Inside Inductor: no_match; what changes its input is no operator
"""

import torch
from compiled import own
from passnet.kernels import cpp

library = cpp('#include "passnet.h"\nextern "C" void touch(float* x) { x[0] = x[0]; }')


def pattern(z):
    return z.clamp_(-30.0, 20.0)


def replacement_args(z):
    return (z,)


@torch.fx.wrap
def wrapper(z):
    library.touch(z)
    own.bound(z.data_ptr(), z.numel())
    return z


def replacement_func():
    return wrapper
