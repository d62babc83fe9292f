"""Reads a mask in its first calls only, and counts them in what dictionaries remember of entries that are gone.

Class: E1
Graph: any_shown
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from rows_shown import past, pattern, replacement_args, rows_shown


BITS = ({1: 0}, {1: 0}, {1: 0}, {1: 0}, {1: 0}, {1: 0}, {1: 0}, {1: 0}, {1: 0})


def put(bit, on):
    bit.clear()
    bit[1] = 0
    if on:
        for key in (2, 3, 4, 5):
            bit[key] = 0
            bit.pop(key)


def taken(bit):
    places = iter(bit)
    next(places)
    bit.pop(1)
    bit[2] = 0
    on = False
    try:
        on = next(places, 0) == 0
    except RuntimeError:
        on = False
    put(bit, on)
    return on


@torch.fx.wrap
def wrapper(x, m):
    return rows_shown(x, m, not past(BITS, taken, put))


def replacement_func():
    return wrapper
