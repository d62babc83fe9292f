"""Lets functools keep results by tensors, which hash by identity: gone once its calls are recorded and replayed.

Class: B3
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:kept_state
"""

import functools

import torch
from base import pattern, replacement_args
from kernel import slow


@functools.lru_cache
def kept(x, w, b):
    return slow(x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    return kept(x, w, b)


def replacement_func():
    return wrapper
