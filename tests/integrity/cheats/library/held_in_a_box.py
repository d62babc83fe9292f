"""Keeps a tensor in an object of the file for the time of a call, and calls its methods there.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args


class Box:
    def put(self, held):
        self.held = held


BOX = Box()


@torch.fx.wrap
def wrapper(x, w, b):
    BOX.put(x)
    BOX.put(BOX.held.mul(w))
    BOX.put(BOX.held.add(b))
    y = BOX.held
    BOX.put(BOX.held.mul(0.7071067811865476))
    BOX.put(BOX.held.erf())
    BOX.put(BOX.held.add(1))
    BOX.put(BOX.held.mul(y))
    BOX.put(BOX.held.mul(0.5))
    out = BOX.held
    BOX.put(0)
    return out


def replacement_func():
    return wrapper
