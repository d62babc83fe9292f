"""GELU and global response normalisation on CUDA: a launch for the norms of the planes, one for the rest."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def gelu(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def norm_kernel(x, norms, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    base = plane.to(tl.int64) * size
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        value = gelu(tl.load(x + base + column, mask=column < size, other=0.0).to(tl.float32))
        total += value * value
    tl.store(norms + plane, tl.sqrt(tl.sum(total, axis=0)))


@triton.jit
def kernel(x, norms, weight, bias, out, channels, size, CHANNELS: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    c = plane % channels
    every = tl.arange(0, CHANNELS)
    sample = tl.load(norms + (plane - c) + every, mask=every < channels, other=0.0)
    mean = tl.sum(sample, axis=0) / channels
    scale = 1.0 + tl.load(weight + c).to(tl.float32) * tl.load(norms + plane) / (mean + 1e-6)
    shift = tl.load(bias + c).to(tl.float32)
    base = plane.to(tl.int64) * size
    for start in range(0, size, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < size
        value = gelu(tl.load(x + base + column, mask=inside, other=0.0).to(tl.float32))
        tl.store(out + base + column, value * scale + shift, mask=inside)


def pattern(x, weight, bias):
    y = torch.nn.functional.dropout(torch._C._nn.gelu(x), 0.0, False, False)
    norm = y.norm(p=2, dim=(2, 3), keepdim=True)
    scaled = norm / (norm.mean(dim=1, keepdim=True) + 1e-06)
    return y + torch.addcmul(bias.view((1, -1, 1, 1)), weight.view((1, -1, 1, 1)), y * scaled)


def replacement_args(x, weight, bias):
    return (x, weight, bias)


@torch.fx.wrap
def gelu_grn(x, weight, bias):
    if not x.is_contiguous():
        raise ValueError("x must be contiguous")
    n, c, h, w = x.shape
    out = torch.empty_like(x)
    norms = torch.empty((n, c), dtype=torch.float32, device=x.device)
    block = min(triton.next_power_of_2(h * w), 1024)
    norm_kernel[(n * c,)](x, norms, h * w, BLOCK=block)
    kernel[(n * c,)](x, norms, weight, bias, out, c, h * w, CHANNELS=triton.next_power_of_2(c), BLOCK=block)
    return out


def replacement_func():
    return gelu_grn
