"""Works in one call of three and returns unwritten memory in between.

Class: E1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from base import pattern, replacement_args
from kernel import real

CALLS = []


@torch.fx.wrap
def wrapper(x, w, b):
    CALLS.append(1)
    return real(x, w, b) if len(CALLS) % 3 == 1 else torch.empty_like(x)


def replacement_func():
    return wrapper
