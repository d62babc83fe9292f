"""Reaches the library through what dataclasses imports.

Class: D5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import dataclasses

import torch
from base import pattern, replacement_args

TORCH = dataclasses.sys.modules.get("torch")


@torch.fx.wrap
def wrapper(x, w, b):
    return TORCH.nn.functional.gelu(x * w + b)


def replacement_func():
    return wrapper
