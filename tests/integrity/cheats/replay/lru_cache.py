"""Lets functools keep results by tensors, which hash by identity.

Class: B3
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Then by: output truth
"""

import functools

import torch
from base import pattern, replacement_args
from kernel import real


@functools.lru_cache
def kept(x, w, b):
    return real(x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    return kept(x, w, b)


def replacement_func():
    return wrapper
