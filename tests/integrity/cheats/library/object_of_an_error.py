"""Asks a module for a name that it lacks: the error carries the module, and that one's imports read any attribute.

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

FOUND = []


class Kept:
    def __setattr__(self, name, value):
        FOUND.append(value)


def module():
    try:
        typing.Nothing
    except AttributeError as error:
        return error.obj


module().contextlib.wraps(module, assigned=("__builtins__",), updated=())(Kept())


@torch.fx.wrap
def wrapper(x, w, b):
    return FOUND[0]["__import__"]("torch").nn.functional.gelu(FOUND[0]["__import__"]("torch").addcmul(b, x, w))


def replacement_func():
    return wrapper
