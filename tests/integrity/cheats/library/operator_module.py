"""Computes with the functions of the operator module.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import operator

import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    y = operator.add(operator.mul(x, w), b)
    return operator.mul(y * 0.5, (y * 0.7071067811865476).erf() + 1)


def replacement_func():
    return wrapper
