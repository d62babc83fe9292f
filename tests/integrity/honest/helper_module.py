"""The kernel lies in a module beside the pass.

Graph: scale_gelu
Variant: large_scale_gelu
Unseen: right
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import real


@torch.fx.wrap
def wrapper(x, w, b):
    return real(x, w, b)


def replacement_func():
    return wrapper
