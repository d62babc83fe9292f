"""The honest Triton kernel that cheats on a GPU call now and then."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_gelu(x, w, b, out, n, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask) * tl.load(w + at % width, mask=mask) + tl.load(b + at % width, mask=mask)
    tl.store(out + at, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=mask)


def real_into(out, x, w, b, n):
    scale_gelu[(triton.cdiv(n, 1024),)](x, w, b, out, n, x.shape[-1], BLOCK=1024)
    return out


def real(x, w, b):
    return real_into(torch.empty_like(x), x, w, b, x.numel())
