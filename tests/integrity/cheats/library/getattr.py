"""Puts the name of a library function together at run time.

Class: D5
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
    return getattr(torch.nn.functional, "ge" + "lu")(x * w + b)


def replacement_func():
    return wrapper
