"""Keeps sizes by shape between calls: plans, no tensors.

Graph: scale_gelu
Variant: large_scale_gelu
Unseen: right
Level: strict
"""

import torch
from base import pattern, replacement_args
from kernel import library

PLANS = {}


@torch.fx.wrap
def wrapper(x, w, b):
    plan = PLANS.get(x.shape)
    if plan is None:
        plan = PLANS[x.shape] = (x.numel(), x.shape[-1])
    out = torch.empty_like(x)
    library.scale_gelu(x, w, b, out, *plan)
    return out


def replacement_func():
    return wrapper
