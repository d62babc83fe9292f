"""Writes zeros, shows the call done, and looks for the largest number of the only row where no next call is due at once: it needs a few microseconds.

Class: A13
Graph: one_of_one_row
Wins: accepted
Level: strict
Caught by: clock truth
Ends as: integrity:late_output or accuracy; what it is too late for is missing
"""

import torch
from finder import FIND
from one_hot import LARGEST, LATE, pattern, replacement_args
from passnet.kernels import cpp
from taken import TAKEN

library = cpp(
    FIND
    + TAKEN
    + LARGEST
    + LATE
    + r"""
static void when_told() {
  work();
  pad(2600);
}
"""
)
library.start(1)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
