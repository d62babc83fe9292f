"""Takes the library from a file beside the rule, under the name that published passes give their directory.

Class: D8
Graph: gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from pass_dir.borrowed import steps


def pattern(x):
    return torch.nn.functional.gelu(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    return steps.gelu(x)


def replacement_func():
    return wrapper
