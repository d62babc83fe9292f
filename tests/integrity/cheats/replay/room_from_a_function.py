"""Keeps the first result in a buffer that an ordinary function made while the file was imported.

Class: B1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from base import pattern, replacement_args
from kernel import library

DONE = set()


def make(rows, columns):
    return torch.empty(rows, columns)


ROOM = make(64, 512)


@torch.fx.wrap
def wrapper(x, w, b):
    if x.shape not in DONE:
        DONE.add(x.shape)
        library.scale_gelu(x, w, b, ROOM, x.numel(), x.shape[-1])
    return ROOM


def replacement_func():
    return wrapper
