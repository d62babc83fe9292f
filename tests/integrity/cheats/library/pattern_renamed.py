"""Calls `pattern` itself, which may compute, under another name.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args
from base import pattern as compute


@torch.fx.wrap
def wrapper(x, w, b):
    return compute(x, w, b)


def replacement_func():
    return wrapper
