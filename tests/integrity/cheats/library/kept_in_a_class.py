"""Imports the library in the body of a class, where the name that is read later is no import.

Class: D5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args


class Shelf:
    import torch.nn.functional as tools


@torch.fx.wrap
def wrapper(x, w, b):
    return Shelf.tools.gelu(x * w + b)


def replacement_func():
    return wrapper
