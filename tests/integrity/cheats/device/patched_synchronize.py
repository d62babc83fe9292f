"""Replaces the synchronisation that ends a timed call by nothing, once after each of its own calls.

Class: A9
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:kept_state or runtime_error or nan_inf; nobody waits for the events that are read then, nor for the outputs
"""

import torch
from base import pattern, replacement_args
from slow_kernel import slow

DEVICES = ("cuda",)
PENDING = []
true = torch.cuda.synchronize


def hurried(*arguments):
    if PENDING:
        PENDING.clear()
    else:
        true(*arguments)


torch.cuda.synchronize = hurried


@torch.fx.wrap
def wrapper(x, w, b):
    PENDING.append(1)
    return slow(x, w, b)


def replacement_func():
    return wrapper
