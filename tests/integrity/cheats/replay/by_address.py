"""Keeps results by the addresses of the inputs.

Class: B1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_reuse or integrity:kept_state or accuracy; it is drawn whether the guard sees an address twice
Inside Inductor: integrity:output_reuse or integrity:kept_state or accuracy; whichever is looked at first
"""

import torch
from base import pattern, replacement_args
from kernel import real

KEPT = {}


@torch.fx.wrap
def wrapper(x, w, b):
    key = (x.data_ptr(), w.data_ptr(), b.data_ptr())
    if key not in KEPT:
        KEPT[key] = real(x, w, b)
    return KEPT[key]


def replacement_func():
    return wrapper
