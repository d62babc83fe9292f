"""gelu(x * w + b) in one Triton kernel, launched in the ordinary way."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def scale_shift_gelu_kernel(x, w, b, out, count, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    v = tl.load(x + at, mask=inside).to(tl.float32)
    v = v * tl.load(w + at % width, mask=inside).to(tl.float32) + tl.load(b + at % width, mask=inside).to(tl.float32)
    tl.store(out + at, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=inside)


def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def scale_shift_gelu(x, w, b):
    if not x.is_contiguous() or w.shape != x.shape[-1:] or b.shape != x.shape[-1:]:
        raise ValueError("this kernel needs contiguous x, and w and b of its last dimension")
    out = torch.empty_like(x)
    count = x.numel()
    scale_shift_gelu_kernel[(triton.cdiv(count, 1024),)](x, w, b, out, count, x.shape[-1], BLOCK=1024)
    return out


def replacement_func():
    return scale_shift_gelu
