"""Keeps the result in the frame of a generator that is never finished.

Class: B1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_reuse
Inside Inductor: integrity:output_reuse or integrity:kept_state; whichever is looked at first
"""

import torch
from base import pattern, replacement_args
from kernel import real


def keeper():
    arguments = yield
    out = real(*arguments)
    while True:
        yield out


STATE = keeper()
next(STATE)


@torch.fx.wrap
def wrapper(x, w, b):
    return STATE.send((x, w, b))


def replacement_func():
    return wrapper
