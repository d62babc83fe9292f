"""relu(x + y) by a compiled Python loop. Needs policy level `native`, for numba sees memory through numpy."""

import numba
import numpy
import torch

DEVICES = ("cpu",)


@numba.njit(fastmath=True)
def add_relu_loop(x, y, out):
    for i in range(out.size):
        total = x[i] + y[i]
        out[i] = total if total > 0 else 0


def pattern(x, y):
    return torch.relu(x + y)


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def add_relu(x, y):
    if y.shape != x.shape or not x.is_contiguous() or not y.is_contiguous():
        raise ValueError("this kernel needs two contiguous tensors of one shape")
    out = torch.empty_like(x)
    add_relu_loop(numpy.asarray(x).reshape(-1), numpy.asarray(y).reshape(-1), numpy.asarray(out).reshape(-1))
    return out


def replacement_func():
    return add_relu
