"""Routes to library functions through a dictionary.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args

ROUTES = {"gelu": torch.nn.functional.gelu}


@torch.fx.wrap
def wrapper(x, w, b):
    return ROUTES["gelu"](x * w + b)


def replacement_func():
    return wrapper
