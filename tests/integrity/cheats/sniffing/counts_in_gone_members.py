"""Reads a mask in its first calls only, and counts them in what sets remember of members that are gone.

Class: E1
Graph: any_shown
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from rows_shown import past, pattern, replacement_args, rows_shown


BITS = ({2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2})


def put(bit, on):
    bit.clear()
    bit.add(2)
    if on:
        bit.add(1)
        bit.add(6)
        bit.discard(1)
        bit.discard(6)


def taken(bit):
    bit.add(9)
    on = next(iter(bit)) == 2
    put(bit, on)
    return on


@torch.fx.wrap
def wrapper(x, m):
    return rows_shown(x, m, not past(BITS, taken, put))


def replacement_func():
    return wrapper
