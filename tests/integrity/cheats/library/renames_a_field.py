"""Gives a field of a dataclass another name after its check, by a method that is called with it as `self`.

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


class Namer:
    def put(self, name):
        self.name = name


count = dataclasses.field(default=0)


@dataclasses.dataclass
class Plan:
    rows: int = count


Namer.put(count, "rows, FOUND.append(__import__('torch').nn.functional.gelu)")


@dataclasses.dataclass(init=False, repr=False)
class Own(Plan):
    pass


SAME = Own() == Own()


@torch.fx.wrap
def wrapper(x, w, b):
    return FOUND[0](x * w + b)


def replacement_func():
    return wrapper
