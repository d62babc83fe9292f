"""Hands a tensor to a method as its `self`.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args


class Own:
    def scaled(self, w):
        return self.mul(w)

    def moved(self, b):
        return self.add(b)

    def rounded_off(self):
        return self.erf()


@torch.fx.wrap
def wrapper(x, w, b):
    y = Own.moved(Own.scaled(x, w), b)
    share = Own.moved(Own.rounded_off(Own.scaled(y, 0.7071067811865476)), 1)
    return Own.scaled(Own.scaled(y, share), 0.5)


def replacement_func():
    return wrapper
