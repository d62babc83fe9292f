"""An autotuned kernel with heuristics and a grid that depends on the configuration.

Graph: scale_gelu
Level: strict
Needs: gpu
"""

import torch
import triton
import triton.language as tl
from base import pattern, replacement_args

DEVICES = ("cuda",)

CONFIGS = [triton.Config({"BLOCK": size}, num_warps=warps) for size in (256, 1024) for warps in (2, 4)]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
@triton.jit
def kernel(x, w, b, out, n, width, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask) * tl.load(w + at % width, mask=mask) + tl.load(b + at % width, mask=mask)
    tl.store(out + at, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=mask)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    n = x.numel()
    kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, w, b, out, n, x.shape[-1])
    return out


def replacement_func():
    return wrapper
