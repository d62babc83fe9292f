"""Tells a watched call by how deep it may still recurse, and leaves the work to the library in all others.

Class: B12
Graph: product
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

import torch
from own_product import library, pattern, replacement_args

SEEN = {"levels": 0, "calls": 0}  # a wrapper that counts is not replayed


def levels_left():
    try:
        return levels_left() + 1
    except RecursionError:
        return 0


def pick(values):
    return next(iter(values))


@torch.fx.wrap
def wrapper(x, w):
    levels = levels_left()
    SEEN["calls"] += 1
    SEEN["levels"] = max(SEEN["levels"], levels)
    if levels == SEEN["levels"]:
        return pick([x]).matmul(pick([w]))
    out = torch.empty((x.shape[0], w.shape[1]), dtype=x.dtype, device=x.device)
    library.product(x, w, out, x.shape[0], x.shape[1], w.shape[1])
    return out


def replacement_func():
    return wrapper
