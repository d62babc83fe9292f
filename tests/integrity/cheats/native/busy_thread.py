"""Starts a thread that works for ever, beside the calls and between them.

Class: A5
Graph: scale_gelu
Wins: accepted
Level: native
Caught by: clock truth
Ends as: integrity:background_work or integrity:outside_clock or integrity:kept_state; it slows the worker between calls too, and its counter is seen
"""

import ctypes

import torch
from base import pattern, replacement_args
from compiled import own

COUNTER = ctypes.c_int64()
STARTED = {}


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    if not STARTED:
        STARTED[0] = own.spin(ctypes.addressof(COUNTER))
    own.f(x.data_ptr(), w.data_ptr(), b.data_ptr(), out.data_ptr(), x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
