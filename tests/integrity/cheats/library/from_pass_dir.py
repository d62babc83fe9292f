"""Lets a file beside the rule call the library, imported under the name that published passes give their directory.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from pass_dir.base import pattern, replacement_args
from pass_dir.borrowed import gelu_of


@torch.fx.wrap
def wrapper(x, w, b):
    return gelu_of(x, w, b)


def replacement_func():
    return wrapper
