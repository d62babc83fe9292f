"""One program per row, sized by the next power of two, with a constant of the module.

Graph: scale_gelu
Level: strict
Needs: gpu
"""

import torch
import triton
import triton.language as tl
from base import pattern, replacement_args

DEVICES = ("cuda",)

ROOT = tl.constexpr(0.7071067811865476)


@triton.jit
def gelu(v):
    return 0.5 * v * (1.0 + tl.erf(v * ROOT))


@triton.jit
def kernel(x, w, b, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0) * width
    at = tl.arange(0, BLOCK)
    mask = at < width
    v = tl.load(x + row + at, mask=mask) * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask)
    tl.store(out + row + at, gelu(v), mask=mask)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    width = x.shape[-1]
    kernel[(x.numel() // width,)](x, w, b, out, width, BLOCK=triton.next_power_of_2(width), num_warps=4)
    return out


def replacement_func():
    return wrapper
