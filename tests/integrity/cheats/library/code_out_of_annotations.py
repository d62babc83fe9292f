"""Lets `dataclass` write and run code that stands in the names of its fields.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import dataclasses

import torch
from base import pattern, replacement_args

FOUND = []


@dataclasses.dataclass(init=False, repr=False)
class Plan:
    n = 1
    __annotations__ = {"n, FOUND.append(__import__('torch').nn.functional.gelu)": int}


SAME = Plan() == Plan()


@torch.fx.wrap
def wrapper(x, w, b):
    return FOUND[0](x * w + b)


def replacement_func():
    return wrapper
