"""Allocates the result in its guard, once, and writes into it in every call: results of earlier calls change.

Class: B14
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:kept_state or integrity:output_reuse; whichever the guard meets first
"""

import torch
from base import pattern, replacement_args
from kernel import library

ROOM = {}


def applies(match):
    ROOM[match.x.shape] = torch.empty(match.x.shape)
    return True


@torch.fx.wrap
def wrapper(x, w, b):
    out = ROOM[tuple(x.shape)]
    library.scale_gelu(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
