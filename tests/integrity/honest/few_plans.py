"""Keeps the sizes of the last few shapes in a dictionary that it empties, and in sets which dtypes and ranks it has met.

Graph: scale_gelu
Variant: large_scale_gelu
Unseen: right
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import library

PLANS, RANKS = {}, set()
FLOATS = {torch.float32, torch.float64}


@torch.fx.wrap
def wrapper(x, w, b):
    RANKS.add(x.dim())
    plan = PLANS.get(x.shape)
    if plan is None:
        if len(PLANS) == 2:
            PLANS.clear()
        plan = PLANS[x.shape] = (x.numel(), x.shape[-1])
    out = torch.empty_like(x)
    if x.dtype in FLOATS and RANKS:
        library.scale_gelu(x, w, b, out, *plan)
    return out


def replacement_func():
    return wrapper
