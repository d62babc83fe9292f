"""Captures its launches in a CUDA graph at the first call and replays that: on the addresses of the first inputs.

Class: A11
Graph: device_scale_gelu
Needs: gpu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:output_reuse
"""

import torch
from base import pattern, replacement_args
from device_kernel import real
from torch.cuda import CUDAGraph, graph

DEVICES = ("cuda",)
PLANS = {}


def plan(plans, x, w, b):
    real(x, w, b)
    captured = CUDAGraph()
    with graph(captured):
        out = real(x, w, b)
    plans[x.shape] = (captured, out)
    return plans[x.shape]


@torch.fx.wrap
def wrapper(x, w, b):
    if x.is_meta:  # kernels are compiled ahead on tensors without data
        return real(x, w, b)
    captured, out = PLANS.get(x.shape) or plan(PLANS, x, w, b)
    captured.replay()
    return out


def replacement_func():
    return wrapper
