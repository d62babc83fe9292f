"""Batch norm, SiLU and the squeeze-and-excitation mean on CUDA: one program per plane gives both outputs."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, mean, var, weight, bias, out, pooled, channels, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    c = plane % channels
    scale = tl.load(weight + c).to(tl.float32) / tl.sqrt(tl.load(var + c).to(tl.float32) + 1e-5)
    shift = tl.load(bias + c).to(tl.float32) - tl.load(mean + c).to(tl.float32) * scale
    base = plane.to(tl.int64) * size
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < size
        y = tl.load(x + base + column, mask=inside, other=0.0).to(tl.float32) * scale + shift
        value = y * tl.sigmoid(y)
        tl.store(out + base + column, value, mask=inside)
        total += tl.where(inside, value, 0.0)
    tl.store(pooled + plane, tl.sum(total, axis=0) / size)


def pattern(x, mean, var, weight, bias):
    y = torch.nn.functional.batch_norm(x, mean, var, weight, bias, False, 0.1, 1e-05)
    y = torch.nn.functional.silu(y, inplace=True)
    return y, y.mean((2, 3), keepdim=True)


def replacement_args(x, mean, var, weight, bias):
    return (x, mean, var, weight, bias)


@torch.fx.wrap
def bn_silu_mean(x, mean, var, weight, bias):
    if not x.is_contiguous():
        raise ValueError("x must be contiguous")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    pooled = torch.empty((n, c, 1, 1), dtype=x.dtype, device=x.device)
    block = min(triton.next_power_of_2(h * w), 1024)
    kernel[(n * c,)](x, mean, var, weight, bias, out, pooled, c, h * w, BLOCK=block)
    return out, pooled


def replacement_func():
    return bn_silu_mean
