"""Names a library function in the middle of an expression.

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
    return (f := torch.nn.functional.gelu) and f(x * w + b)


def replacement_func():
    return wrapper
