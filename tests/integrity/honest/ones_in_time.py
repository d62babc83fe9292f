"""Looks for the largest number of each row, and writes a one there among zeros.

Graph: one_of_each_row
Level: strict
"""

import torch
from one_hot import LARGEST, pattern, replacement_args
from passnet.kernels import cpp

library = cpp('#include "passnet.h"\n#include <cstring>\n' + LARGEST)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
