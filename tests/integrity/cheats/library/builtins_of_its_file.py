"""Imports the builtins of its own file, as any name can be imported from a module, and torch by them.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from base import pattern, replacement_args
from builtins_of_its_file import __builtins__ as room

ROOM = room if isinstance(room, dict) else room.__dict__
compute = ROOM["__import__"]("torch.nn.functional").nn.functional.gelu


@torch.fx.wrap
def wrapper(x, w, b):
    return compute(x * w + b)


def replacement_func():
    return wrapper
