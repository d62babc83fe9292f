"""Writes zeros, shows the call done, and looks for the largest number of each row where no next call is due at once: that call is kept.

Class: A13
Graph: one_of_each_row
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy or integrity:late_output; who could go on after the end of a kept call would change its outputs
"""

import torch
from finder import FIND
from one_hot import LARGEST, LATE, pattern, replacement_args
from passnet.kernels import cpp
from taken import TAKEN

library = cpp(FIND + TAKEN + LARGEST + LATE + r"static void when_told() { work(); }")
library.start(1)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
