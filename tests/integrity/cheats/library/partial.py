"""Hides a library function in a partial application.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

from functools import partial

import torch
from base import pattern, replacement_args

GELU = partial(torch.nn.functional.gelu, approximate="none")


@torch.fx.wrap
def wrapper(x, w, b):
    return GELU(x * w + b)


def replacement_func():
    return wrapper
