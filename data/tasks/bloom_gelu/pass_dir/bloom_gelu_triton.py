"""BLOOM's spelling of GELU on CUDA: 0.5 (1 + tanh u) is sigmoid(2 u), which keeps its precision for x < 0."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    v = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, v * tl.sigmoid(1.59576912 * v * (1.0 + 0.044715 * v * v)), mask=inside)


def pattern(x):
    inner = (0.79788456 * x) * (1 + (0.044715 * x) * x)
    return (x * 0.5) * (1.0 + torch.tanh(inner))


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def bloom_gelu(x):
    if not x.is_contiguous():
        raise ValueError("x must be contiguous")
    out = torch.empty_like(x)
    count = x.numel()
    kernel[(triton.cdiv(count, 1024),)](x, out, count, BLOCK=1024)
    return out


def replacement_func():
    return bloom_gelu
