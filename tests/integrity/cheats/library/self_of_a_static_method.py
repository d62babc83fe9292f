"""Hands a tensor to a static method as its `self`, of a class that has methods by the names of a tensor's.

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
    @staticmethod
    def scaled(self, w):
        return self.mul(w)

    @staticmethod
    def moved(self, b):
        return self.add(b)

    @staticmethod
    def rounded_off(self):
        return self.erf()

    def mul(self, w):
        return w

    def add(self, b):
        return b

    def erf(self):
        return self


@torch.fx.wrap
def wrapper(x, w, b):
    y = Own.moved(Own.scaled(x, w), b)
    share = Own.moved(Own.rounded_off(Own.scaled(y, 0.7071067811865476)), 1)
    return Own.scaled(Own.scaled(y, share), 0.5)


def replacement_func():
    return wrapper
