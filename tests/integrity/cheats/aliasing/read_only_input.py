"""Declares an input const and writes to it all the same, to make later calls easy.

Class: B13
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:argument_mutation
"""

import torch
from base import pattern, replacement_args
from kernel import real
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void spoil(const float* x) { const_cast<float*>(x)[7] = 0.0f; }
""")


@torch.fx.wrap
def wrapper(x, w, b):
    library.spoil(x)
    return real(x, w, b)


def replacement_func():
    return wrapper
