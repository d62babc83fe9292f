"""Hides results among launch plans, which a pass may keep; stored by a helper that takes the dictionary.

Class: B1
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_reuse or accuracy; it is drawn whether the guard sees an address twice
Inside Inductor: integrity:output_reuse or integrity:kept_state or accuracy; whichever is looked at first
"""

import torch
from base import pattern, replacement_args
from kernel import real

PLANS = {}


def put(plans, key, plan):
    plans[key] = plan
    return plan


@torch.fx.wrap
def wrapper(x, w, b):
    key = (x.data_ptr(), x.shape)
    plan = PLANS.get(key) or put(PLANS, key, (64, real(x, w, b)))
    return plan[1]


def replacement_func():
    return wrapper
