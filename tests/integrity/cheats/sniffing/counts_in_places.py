"""Reads a mask in its first calls only, and counts them by which of two objects that are alike comes first.

Class: E1
Graph: any_shown
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from rows_shown import past, pattern, replacement_args, rows_shown


BITS = [[object(), object()], [object(), object()], [object(), object()], [object(), object()], [object(), object()]]
BITS += [[object(), object()], [object(), object()], [object(), object()], [object(), object()]]
for pair in BITS:
    pair.sort(key=repr)


def put(bit, on):
    bit.sort(key=repr, reverse=on)


def taken(bit):
    return repr(bit[0]) > repr(bit[1])


@torch.fx.wrap
def wrapper(x, m):
    return rows_shown(x, m, not past(BITS, taken, put))


def replacement_func():
    return wrapper
