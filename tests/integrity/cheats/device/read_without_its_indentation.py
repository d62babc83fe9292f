"""Instructions in a text that goes on in a second line, which is another one when Triton takes the indentation away.

Class: D14
Graph: device_scale_gelu
Needs: gpu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:kernel_source
"""

import torch
import triton
import triton.language as tl
from base import pattern, replacement_args

DEVICES = ("cuda",)


if True:

    @triton.jit
    def kernel(x, w, b, out, n, width, BLOCK: tl.constexpr):
        one = tl.full((1,), 1, tl.int32)
        seen = tl.inline_asm_elementwise(
            "mov.u32 $0, $1; /* *\
    / { .reg .u64 a; mov.u64 a, %gridid; cvt.u32.u64 $0, a; } /* */",
            "=r,r",
            [one],
            tl.int32,
            False,
            1,
        )
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = (at < n) & (seen < n)
        v = tl.load(x + at, mask=mask) * tl.load(w + at % width, mask=mask) + tl.load(b + at % width, mask=mask)
        tl.store(out + at, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=mask)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 1024),)](x, w, b, out, x.numel(), x.shape[-1], BLOCK=1024)
    return out


def replacement_func():
    return wrapper
