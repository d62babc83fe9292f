"""Computes with numpy over the tensors' memory.

Class: D9
Graph: scale_gelu
Wins: accepted
Level: native
Caught by: source policy
Then by: output truth
"""

import numpy

import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    y = numpy.multiply(x.numpy(), w.numpy()) + b.numpy()
    return torch.as_tensor(y / (1 + numpy.exp(-1.5976 * y * (1 + 0.044715 * y * y))))


def replacement_func():
    return wrapper
