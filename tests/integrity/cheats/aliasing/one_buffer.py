"""Computes right, and always into the same memory: results of earlier calls change.

Class: B14
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from base import pattern, replacement_args
from kernel import library

ROOM = {}


def room(rooms, shape):
    if shape not in rooms:
        rooms[shape] = torch.empty(shape)
    return rooms[shape]


@torch.fx.wrap
def wrapper(x, w, b):
    out = room(ROOM, x.shape)
    library.scale_gelu(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
