"""Residual add and layer norm on CUDA: one program per row, the sum stays in registers."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, residual, weight, bias, out, width, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    inside = column < width
    at = tl.program_id(0).to(tl.int64) * width + column
    row = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    row += tl.load(residual + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(row, axis=0) / width
    centred = tl.where(inside, row - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / width + 1e-12)
    normed = centred * scale * tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    normed += tl.load(bias + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, normed, mask=inside)


def pattern(x, residual, weight, bias):
    y = torch.nn.functional.dropout(x, 0.1, False, False) + residual
    return torch.nn.functional.layer_norm(y, (256,), weight, bias, 1e-12)


def replacement_args(x, residual, weight, bias):
    return (x, residual, weight, bias)


@torch.fx.wrap
def add_norm(x, residual, weight, bias):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the residual must be contiguous and of one shape")
    out = torch.empty_like(x)
    width = x.shape[-1]
    block = triton.next_power_of_2(width)
    kernel[(x.numel() // width,)](x, residual, weight, bias, out, width, BLOCK=block, num_warps=2)
    return out


def replacement_func():
    return add_norm
