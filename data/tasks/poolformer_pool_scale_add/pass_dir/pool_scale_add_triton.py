"""PoolFormer's token mixer on CUDA: 3x3 mean of the neighbours there are, minus the centre, scaled, plus x."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, scale, residual, out, channels, height, width, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    cell = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = cell < height * width
    row = cell // width
    column = cell % width
    at = plane.to(tl.int64) * height * width + cell
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for down in tl.static_range(-1, 2):
        for right in tl.static_range(-1, 2):
            there = (row + down >= 0) & (row + down < height) & (column + right >= 0) & (column + right < width)
            total += tl.load(x + at + down * width + right, mask=inside & there, other=0.0).to(tl.float32)
    rows = 1 + (row > 0).to(tl.int32) + (row + 1 < height).to(tl.int32)
    columns = 1 + (column > 0).to(tl.int32) + (column + 1 < width).to(tl.int32)
    centre = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    value = (total / (rows * columns).to(tl.float32) - centre) * tl.load(scale + plane % channels).to(tl.float32)
    value += tl.load(residual + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, value, mask=inside)


def pattern(x, scale, residual):
    y = torch._C._nn.avg_pool2d(x, 3, 1, 1, False, False, None) - x
    return residual + y * scale.view((64, 1, 1))


def replacement_args(x, scale, residual):
    return (x, scale, residual)


@torch.fx.wrap
def pool_scale_add(x, scale, residual):
    if x.shape != residual.shape or not (x.is_contiguous() and residual.is_contiguous()):
        raise ValueError("x and the residual must be contiguous and of one shape")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    block = min(triton.next_power_of_2(h * w), 512)
    kernel[(n * c, triton.cdiv(h * w, block))](x, scale, residual, out, c, h, w, BLOCK=block)
    return out


def replacement_func():
    return pool_scale_add
