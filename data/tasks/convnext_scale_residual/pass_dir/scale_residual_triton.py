"""Layer scale and residual add on CUDA: one multiply-add per element, one scale per plane."""

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


def pattern(x, gamma, shortcut):
    y = torch.nn.functional.dropout(x, 0.0, False, False)
    return y.mul(gamma.reshape(1, -1, 1, 1)) + shortcut


def replacement_args(x, gamma, shortcut):
    return (x, gamma, shortcut)


@torch.fx.wrap
def scale_residual(x, gamma, shortcut):
    if x.shape != shortcut.shape or not (x.is_contiguous() and shortcut.is_contiguous()):
        raise ValueError("x and the shortcut must be contiguous and of one shape")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    block = min(triton.next_power_of_2(h * w), 1024)
    kernel[(n * c, triton.cdiv(h * w, block))](x, gamma, shortcut, out, c, h * w, BLOCK=block)
    return out


def replacement_func():
    return scale_residual
