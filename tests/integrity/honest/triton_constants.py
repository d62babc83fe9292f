"""A Triton kernel that is told by constants what it computes: a dtype, a tuple, a text, a record and another kernel.

Graph: scale_gelu
Level: strict
Needs: gpu
"""

from collections import namedtuple

import torch
import triton
import triton.language as tl
from base import pattern, replacement_args

DEVICES = ("cuda",)
HALF = tl.constexpr(0.5)
Parts = namedtuple("Parts", ["scale", "added"])


@triton.jit
def gelu(v, ROOT: tl.constexpr):
    return HALF * v * (1.0 + tl.erf(v * ROOT))


@triton.jit
def kernel(
    x,
    w,
    b,
    out,
    n,
    width,
    BLOCK: tl.constexpr,
    TYPE: tl.constexpr,
    FACTORS: tl.constexpr,
    PARTS: tl.constexpr,
    NAME: tl.constexpr,
    STEP: tl.constexpr,
):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask).to(TYPE)
    v = v * tl.load(w + at % width, mask=mask) * FACTORS[0] + tl.load(b + at % width, mask=mask) * PARTS.scale
    v += PARTS.added
    if NAME == "gelu" and len(FACTORS) == 2:
        v = STEP(v, FACTORS[1])
    tl.store(out + at, v.to(out.dtype.element_ty), mask=mask)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    grid = (triton.cdiv(x.numel(), 1024),)
    factors = (1.0, 0.7071067811865476)
    kernel[grid](
        x,
        w,
        b,
        out,
        x.numel(),
        x.shape[-1],
        BLOCK=1024,
        TYPE=tl.float32,
        FACTORS=factors,
        PARTS=Parts(1.0, 0.0),
        NAME="gelu",
        STEP=gelu,
    )
    return out


def replacement_func():
    return wrapper
