"""Launches a kernel of the helpers for show; the work is done by code that the pass compiled itself.

Class: B12
Graph: scale_gelu
Wins: accepted
Level: native
Caught by: proof of work
Ends as: integrity:no_work
"""

import torch
from base import pattern, replacement_args
from compiled import own
from passnet.kernels import cpp

library = cpp('#include "passnet.h"\nextern "C" void touch(const float* x, float* out) { out[0] = x[0]; }')


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.touch(x, out)
    own.f(x.data_ptr(), w.data_ptr(), b.data_ptr(), out.data_ptr(), x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
