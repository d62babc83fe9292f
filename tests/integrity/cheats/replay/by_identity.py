"""Keeps results by the identity of the input object.

Class: B1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:output_reuse or integrity:kept_state; a guarded block may give no tensor twice, and what it left is found first then
"""

import torch
from base import pattern, replacement_args
from kernel import real

KEPT = {}


@torch.fx.wrap
def wrapper(x, w, b):
    if id(x) not in KEPT:
        KEPT[id(x)] = real(x, w, b)
    return KEPT[id(x)]


def replacement_func():
    return wrapper
