"""Window reverse, cyclic shift and residual add on CUDA: every element is copied straight to its place."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(
    windows, shortcut, out, count, H: tl.constexpr, W: tl.constexpr, C: tl.constexpr, SIDE: tl.constexpr,
    SHIFT: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    pixel = at // C
    column = (pixel % W + W - SHIFT) % W
    row = (pixel // W % H + H - SHIFT) % H
    window = (pixel // (W * H) * (H // SIDE) + row // SIDE) * (W // SIDE) + column // SIDE
    source = ((window * SIDE + row % SIDE) * SIDE + column % SIDE) * C + at % C
    value = tl.load(shortcut + at, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(windows + source, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, value, mask=inside)


def pattern(windows, shortcut):
    x = windows.view(-1, 7, 7, 48).view(-1, 4, 4, 7, 7, 48)
    x = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 28, 28, 48)
    x = x[:, :28, :28, :].contiguous()
    return shortcut + torch.roll(x, shifts=(3, 3), dims=(1, 2))


def replacement_args(windows, shortcut):
    return (windows, shortcut)


@torch.fx.wrap
def reverse_roll_add(windows, shortcut):
    if not (windows.is_contiguous() and shortcut.is_contiguous()) or windows.numel() != shortcut.numel():
        raise ValueError("windows and the shortcut must be contiguous and of one size")
    _, h, w, c = shortcut.shape
    count = shortcut.numel()
    out = torch.empty_like(shortcut)
    kernel[(triton.cdiv(count, 512),)](
        windows, shortcut, out, count, H=h, W=w, C=c, SIDE=7, SHIFT=3, BLOCK=512
    )  # fmt: skip
    return out


def replacement_func():
    return reverse_roll_add
