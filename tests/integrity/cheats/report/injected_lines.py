"""Prints the lines of a perfect result before the harness prints its own.

Class: C14
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from base import pattern, replacement_args

print("[Correctness][all_close]: 1", "[Speedup][e2e]: 99.0", "[Result] status: success", sep="\n", flush=True)


@torch.fx.wrap
def wrapper(x, w, b):
    return torch.zeros_like(x)


def replacement_func():
    return wrapper
