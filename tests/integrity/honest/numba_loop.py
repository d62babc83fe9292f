"""A compiled Python loop, which sees memory through numpy.

Graph: scale_gelu
Level: native
Needs: numba
"""

import math

import numba
import numpy
import torch
from base import pattern, replacement_args


@numba.njit
def loop(x, w, b, out):
    for i in range(out.size):
        v = x[i] * w[i % w.size] + b[i % w.size]
        out[i] = 0.5 * v * (1.0 + math.erf(v * 0.7071067811865476))


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    loop(numpy.asarray(x).reshape(-1), numpy.asarray(w), numpy.asarray(b), numpy.asarray(out).reshape(-1))
    return out


def replacement_func():
    return wrapper
