"""Leaves eager's operator slower than it found it.

Class: A15
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: correct, no faster
"""

import time

import torch
from base import pattern, replacement_args
from kernel import slow as heavy

true = torch.nn.functional.gelu


def slow(*args, **kwargs):
    time.sleep(0.003)
    return true(*args, **kwargs)


@torch.fx.wrap
def wrapper(x, w, b):
    torch.nn.functional.gelu = slow
    return heavy(x, w, b)


def replacement_func():
    return wrapper
