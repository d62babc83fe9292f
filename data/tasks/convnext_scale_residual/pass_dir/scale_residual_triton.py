"""Layer scale and residual add on CUDA: one multiply-add per element, for planes and for channels in a row.

Whole ConvNeXts give both layouts: a block's result has its channels last, the first shortcut of a stage has not.
"""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, gamma, shortcut, out, channels, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    scale = tl.load(gamma + plane % channels).to(tl.float32)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < size
    at = plane.to(tl.int64) * size + column
    value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32) * scale
    value += tl.load(shortcut + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, value, mask=inside)


@triton.jit
def last_kernel(x, gamma, shortcut, out, channels, size, count, PLANES: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    channel = at % channels
    pixel = at // channels
    # The shortcut's channels are in planes, or last like those of x.
    beside = (pixel // size * channels + channel) * size + pixel % size if PLANES else at
    value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    value *= tl.load(gamma + channel, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(shortcut + beside, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, value, mask=inside)


def pattern(x, gamma, shortcut):
    y = torch.nn.functional.dropout(x, 0.0, False, False)
    return y.mul(gamma.reshape(1, -1, 1, 1)) + shortcut


def replacement_args(x, gamma, shortcut):
    return (x, gamma, shortcut)


@torch.fx.wrap
def scale_residual(x, gamma, shortcut):
    if x.shape != shortcut.shape or not gamma.is_contiguous():
        raise ValueError("x and the shortcut must be of one shape, the scale contiguous")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    planes = shortcut.is_contiguous()
    if planes and x.is_contiguous():
        block = min(triton.next_power_of_2(h * w), 1024)
        kernel[(n * c, triton.cdiv(h * w, block))](x, gamma, shortcut, out, c, h * w, BLOCK=block)
    elif is_last(x) and (planes or is_last(shortcut)):
        count = x.numel()
        last_kernel[(triton.cdiv(count, 1024),)](x, gamma, shortcut, out, c, h * w, count, PLANES=planes, BLOCK=1024)
    else:
        raise ValueError("x and the shortcut must be contiguous or have their channels last")
    return out


def is_last(x):
    return x.is_contiguous(memory_format=torch.channels_last)


def replacement_func():
    return scale_residual
