"""Defines a pattern that may be read, and binds the name to another function, which gets at torch while it is traced.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: runtime_error; what it found is in a copy of its list
"""

import torch

FOUND = []


def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)


read = pattern


def described(x, w, b):
    FOUND.append(x.node.graph.python_code("self").globals.get("torch", torch).nn.functional.gelu)
    return read(x, w, b)


pattern = described


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    return FOUND[0](x * w + b)


def replacement_func():
    return wrapper
