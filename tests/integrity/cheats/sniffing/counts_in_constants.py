"""Reads a mask in its first calls only, and counts them in whether a number is a constant of the text, or equal to it.

Class: E1
Graph: any_shown
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from rows_shown import past, pattern, replacement_args, rows_shown


BITS = [2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5]


def written():
    return (2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5)


def put(bit, on):
    BITS[bit] = written()[bit] if on else bit + 2.5


def taken(bit):
    return BITS[bit] is written()[bit]


START = []


@torch.fx.wrap
def wrapper(x, m):
    if not START:
        START.append(1)
        for bit in range(9):
            put(bit, False)
    return rows_shown(x, m, not past(range(9), taken, put))


def replacement_func():
    return wrapper
