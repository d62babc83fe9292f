"""Runs a text that holds the computation.

Class: D6
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

SPACE = {"torch": torch}
exec("def f(x, w, b): return torch.nn.functional.gelu(x * w + b)", SPACE)


@torch.fx.wrap
def wrapper(x, w, b):
    return SPACE["f"](x, w, b)


def replacement_func():
    return wrapper
