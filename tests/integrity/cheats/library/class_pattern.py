"""Reads a method by a class pattern, which is no attribute access in the syntax tree.

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
    y = x * w + b
    match y * 0.7071067811865476:
        case object(erf=erf):
            return 0.5 * y * (1 + erf())


def replacement_func():
    return wrapper
