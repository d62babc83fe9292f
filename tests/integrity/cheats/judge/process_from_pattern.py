"""Starts a process while `pattern` is traced, with the rights of whoever loads the pass.

Class: C11
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: correct, no faster
"""

import torch
from base import replacement_args
from kernel import slow


def pattern(x, w, b):
    torch.os.system("true > seen")
    return torch.nn.functional.gelu(x * w + b)


@torch.fx.wrap
def wrapper(x, w, b):
    return slow(x, w, b)


def replacement_func():
    return wrapper
