"""Has `typing` evaluate a text that nobody has read, by the private method of a type in quotes.

Class: D5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import typing

import torch
from base import pattern, replacement_args


class Text:
    def value(self):
        return self._evaluate({}, {}, frozenset())


GELU = Text.value(typing.ForwardRef("__import__('torch').nn.functional.gelu"))


@torch.fx.wrap
def wrapper(x, w, b):
    return GELU(x * w + b)


def replacement_func():
    return wrapper
