"""Each call returns unwritten memory and finishes the call before it; the first of all is done at once.

Class: A19
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:kept_state
"""

import torch
from base import pattern, replacement_args
from kernel import real

PENDING = {}


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    if not PENDING:
        out = real(x, w, b)
    for late, arguments in [PENDING.get("last", (None, None))]:
        if late is not None and len(PENDING) > 1:
            late.copy_(real(*arguments))
    PENDING["last"] = (out, (x, w, b))
    return out


def replacement_func():
    return wrapper
