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
def asm_kernel(x, out, TEXT: tl.constexpr):
    at = tl.arange(0, 64)
    tl.store(out + at, tl.inline_asm_elementwise(TEXT, "=r,r", [tl.load(x + at)], tl.int32, False, 1))


@triton.jit
def printing_kernel(x, out):
    tl.device_print("value", tl.load(x))
    tl.store(out, tl.load(x))


@triton.jit
def asserting_kernel(x, out):
    tl.device_assert(tl.load(x) > 0, "positive")
    tl.store(out, tl.load(x))


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


@triton.jit
def times_kernel(x, out, count, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < count) * factor, mask=at < count)


@triton.autotune(configs=[triton.Config({"BLOCK": size}) for size in (64, 128)], key=["count"])
@triton.heuristics({"EVEN": lambda arguments: arguments["count"] % arguments["BLOCK"] == 0})
@triton.jit
def tuned_times(x, out, count, factor, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at) if EVEN else tl.load(x + at, mask=inside)
    tl.store(out + at, value * factor, mask=inside)


def times(x):
    out = torch.empty_like(x)
    times_kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), 2.5, BLOCK=128)
    return out


def tuned(x):
    out = torch.empty_like(x)
    tuned_times[lambda meta: (triton.cdiv(meta["count"], meta["BLOCK"]),)](x, out, x.numel(), 2.5)
    return out


COMPILED = {}


def kept_compiled(x):
    out, blocks = torch.empty_like(x), triton.cdiv(x.numel(), 128)
    kind = x.device, x.shape
    if kind not in COMPILED:
        COMPILED[kind] = times_kernel[(blocks,)](x, out, x.numel(), 2.5, BLOCK=128)
    else:
        COMPILED[kind][(blocks, 1, 1)](x, out, x.numel(), 2.5, 128)
    return out


def nothing(x):
    times_kernel[(0,)](x, x, x.numel(), 2.5, BLOCK=128)
    return torch.zeros_like(x)
