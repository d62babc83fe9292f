"""One wrapper for several routes, told apart by a constant.

Graph: scale_gelu
Level: strict
"""

import torch
from base import pattern
from kernel import library


def replacement_args(x, w, b):
    return (x, w, b, "scale_gelu")


def scale_gelu(x, w, b):
    out = torch.empty_like(x)
    library.scale_gelu(x, w, b, out, x.numel(), x.shape[-1])
    return out


ROUTES = {"scale_gelu": scale_gelu}


@torch.fx.wrap
def wrapper(*args):
    return ROUTES[args[-1]](*args[:-1])


def replacement_func():
    return wrapper
