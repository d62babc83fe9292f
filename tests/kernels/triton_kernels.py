"""Triton kernels for the tests; Triton reads a kernel's source from its file."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add_kernel(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


tuned_kernel = triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256})], key=["count"])(
    add_kernel
)


@triton.jit
def tanh_kernel(x, out, count, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, libdevice.tanh(tl.load(x + at, mask=at < count)), mask=at < count)


@triton.jit
def undefined_kernel(x, BLOCK: tl.constexpr):
    tl.store(x, missing_name)  # noqa: F821 - the mistake that the test is about


def add(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(out.numel(), 128),)](x, y, out, out.numel(), BLOCK=128)
    return out


def tuned_add(x, y):
    out = torch.empty_like(x)
    tuned_kernel[lambda meta: (triton.cdiv(meta["count"], meta["BLOCK"]),)](x, y, out, out.numel())
    return out
