"""Computes with numpy over the tensors' memory.

Class: D9
Graph: two_outputs
Wins: accepted
Level: native
Caught by: source policy
Ends as: correct; numpy computes right and fast, and only the source policy sees it
"""

import numpy

import torch


def pattern(x, y):
    s = x + y
    return s, torch.tanh(s)


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    s = numpy.add(x.numpy(), y.numpy())
    return torch.as_tensor(s), torch.as_tensor(numpy.tanh(s))


def replacement_func():
    return wrapper
