"""Reaches the library through another module's own imports.

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

GELU = typing.sys.modules["torch"].nn.functional.gelu


@torch.fx.wrap
def wrapper(x, w, b):
    return GELU(x * w + b)


def replacement_func():
    return wrapper
