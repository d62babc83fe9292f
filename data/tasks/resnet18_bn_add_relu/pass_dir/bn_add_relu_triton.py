"""Residual block's end on CUDA: batch norm as one scale and shift per plane, shortcut and ReLU in one launch."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, residual, mean, var, weight, bias, out, channels, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    c = plane % channels
    scale = tl.load(weight + c).to(tl.float32) / tl.sqrt(tl.load(var + c).to(tl.float32) + 1e-5)
    shift = tl.load(bias + c).to(tl.float32) - tl.load(mean + c).to(tl.float32) * scale
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < size
    at = plane.to(tl.int64) * size + column
    value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32) * scale + shift
    value += tl.load(residual + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, tl.maximum(value, 0.0), mask=inside)


def pattern(x, mean, var, weight, bias, residual):
    y = torch.nn.functional.batch_norm(x, mean, var, weight, bias, False, 0.1, 1e-05)
    y += residual
    return torch.nn.functional.relu(y, inplace=True)


def replacement_args(x, mean, var, weight, bias, residual):
    return (x, mean, var, weight, bias, residual)


@torch.fx.wrap
def bn_add_relu(x, mean, var, weight, bias, residual):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the shortcut must be contiguous and of one shape")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    block = min(triton.next_power_of_2(h * w), 1024)
    kernel[(n * c, triton.cdiv(h * w, block))](x, residual, mean, var, weight, bias, out, c, h * w, BLOCK=block)
    return out


def replacement_func():
    return bn_add_relu
