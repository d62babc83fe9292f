"""Gives a tensor the name of a library of kernels, by a `match` that takes anything.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args
from kernel import library


def scaled(value, w):
    match value:
        case library:
            return library.mul(w)


def moved(value, left, right):
    match value:
        case library:
            return library.addcmul(left, right)


def rounded_off(value):
    match value:
        case library:
            return library.erf()


@torch.fx.wrap
def wrapper(x, w, b):
    y = moved(b, x, w)
    half = scaled(y, 0.5)
    return moved(half, half, rounded_off(scaled(y, 0.7071067811865476)))


def replacement_func():
    return wrapper
