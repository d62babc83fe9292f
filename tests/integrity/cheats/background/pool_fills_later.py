"""The same by a pool of threads, which no call waits for.

Class: A1
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:kept_state or nan_inf; the thread is late: what it should have filled is still poisoned
"""

from concurrent.futures import ThreadPoolExecutor

import torch
from base import pattern, replacement_args
from kernel import real

POOL = ThreadPoolExecutor(1)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    POOL.submit(lambda: out.copy_(real(x, w, b)))
    return out


def replacement_func():
    return wrapper
