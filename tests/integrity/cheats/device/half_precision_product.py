"""Multiplies float32 matrices in half precision: near enough for a loose tolerance, on the tensor cores.

Class: B20
Graph: gentle_product
Needs: gpu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy or nan_inf; far numbers overflow in half precision
"""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def product(x, w, out, ROWS: tl.constexpr, INNER: tl.constexpr, COLUMNS: tl.constexpr):
    rows, inner, columns = tl.arange(0, ROWS), tl.arange(0, INNER), tl.arange(0, COLUMNS)
    left = tl.load(x + rows[:, None] * INNER + inner[None, :]).to(tl.float16)
    right = tl.load(w + inner[:, None] * COLUMNS + columns[None, :]).to(tl.float16)
    tl.store(out + rows[:, None] * COLUMNS + columns[None, :], tl.dot(left, right))


def pattern(x, w):
    return torch.matmul(x, w)


def replacement_args(x, w):
    return (x, w)


@torch.fx.wrap
def wrapper(x, w):
    out = torch.empty((x.shape[0], w.shape[1]), device=x.device)
    product[(1,)](x, w, out, x.shape[0], x.shape[1], w.shape[1])
    return out


def replacement_func():
    return wrapper
