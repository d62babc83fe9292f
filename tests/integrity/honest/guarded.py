"""Says by its guard which sizes it serves, and why not others.

Graph: scale_gelu
Variant: large_scale_gelu
Unseen: refused
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import real


def applies(match):
    if match.x.dtype is not torch.float32 or match.x.ndim != 2:
        return False
    return True if match.x.shape[0] in (64, 256) else "only 64 or 256 rows"


@torch.fx.wrap
def wrapper(x, w, b):
    return real(x, w, b)


def replacement_func():
    return wrapper
