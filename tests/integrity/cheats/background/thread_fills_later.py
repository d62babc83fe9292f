"""Returns unwritten memory at once; a thread fills it while the clock no longer runs.

Class: A1
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:kept_state or nan_inf; the thread is late: what it should have filled is still poisoned
"""

import threading

import torch
from base import pattern, replacement_args
from kernel import real


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    threading.Thread(target=lambda: out.copy_(real(x, w, b))).start()
    return out


def replacement_func():
    return wrapper
