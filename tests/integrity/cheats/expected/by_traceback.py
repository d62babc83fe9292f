"""The same without `sys`: the traceback of an exception leads to the callers.

Class: B10
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: accuracy
"""

import torch
from base import pattern, replacement_args


@torch.fx.wrap
def wrapper(x, w, b):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame is not None:
        if "expected" in frame.f_locals:
            return frame.f_locals["expected"][0]
        frame = frame.f_back
    return torch.zeros_like(x)


def replacement_func():
    return wrapper
