"""A timer signal fills the results of earlier calls.

Class: A6
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: runtime_error; the sandbox denies timers, which go off while the process is stopped
"""

import signal

import torch
from base import pattern, replacement_args
from kernel import real

LATE = []


def fill(*_):
    while LATE:
        out, arguments = LATE.pop()
        out.copy_(real(*arguments))


signal.signal(signal.SIGALRM, fill)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    LATE.append((out, (x, w, b)))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    return out


def replacement_func():
    return wrapper
