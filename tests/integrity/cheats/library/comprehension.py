"""Takes a library function from the iterable of a comprehension.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    return [f(x * w + b) for f in (torch.nn.functional.gelu,)][0]


def replacement_func():
    return wrapper
