"""A pattern that is written with helpers, an alias, a constant and another spelling of a product.

Graph: scale_gelu
Level: strict
"""

import torch
import torch.nn.functional as F
from base import replacement_args
from kernel import real

KIND = "none"


def scaled(x, w):
    return x.__mul__(w)


def pattern(x, w, b):
    z = scaled(x, w)
    z = z + b
    x = w = b = None
    return F.gelu(z, approximate=KIND)


@torch.fx.wrap
def wrapper(x, w, b):
    return real(x, w, b)


def replacement_func():
    return wrapper
