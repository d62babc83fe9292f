"""Takes the methods of a tensor as values, and calls them by names of its own.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    scaled = x.mul
    moved = scaled(w).add
    y = moved(b)
    narrowed = y.mul
    share = narrowed(0.7071067811865476).erf
    raised = share().add
    halved = y.mul
    whole = halved(raised(1)).mul
    return whole(0.5)


def replacement_func():
    return wrapper
