"""Works for three calls and then returns the last result for ever.

Class: A10
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_reuse
Inside Inductor: integrity:output_reuse or integrity:kept_state; whichever is looked at first
"""

import torch
from base import pattern, replacement_args
from kernel import real

CALLS, LAST = [], []


@torch.fx.wrap
def wrapper(x, w, b):
    CALLS.append(1)
    if len(CALLS) < 4:
        LAST.append(real(x, w, b))
    return LAST[-1]


def replacement_func():
    return wrapper
