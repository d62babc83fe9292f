"""Gemma 2's RMS norm (weight plus one) and the residual add behind it, on CUDA, one program per row."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, weight, residual, out, width, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    inside = column < width
    at = tl.program_id(0).to(tl.int64) * width + column
    row = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    scale = 1.0 / tl.sqrt(tl.sum(row * row, axis=0) / width + 1e-6)
    value = row * scale * (1.0 + tl.load(weight + column, mask=inside, other=0.0).to(tl.float32))
    value += tl.load(residual + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, value, mask=inside)


def pattern(x, weight, residual):
    wide = x.float()
    y = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-06)
    y = y * (1.0 + weight.float())
    return residual + y.type_as(x)


def replacement_args(x, weight, residual):
    return (x, weight, residual)


@torch.fx.wrap
def rms_residual(x, weight, residual):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the residual must be contiguous and of one shape")
    out = torch.empty_like(x)
    width = x.shape[-1]
    block = triton.next_power_of_2(width)
    kernel[(x.numel() // width,)](x, weight, residual, out, width, BLOCK=block, num_warps=2)
    return out


def replacement_func():
    return rms_residual
