"""Runs Python while Triton compiles: what is never assigned on the way is a local name for Python, and Triton's builtin.

Class: D8
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
from slow_kernel import slow as real

DEVICES = ("cuda",)


@triton.jit
def kernel(out, NEVER: tl.constexpr):
    if NEVER:
        getattr = 0
    getattr(getattr(getattr(tl.load, "__globals__"), "get")("__builtins__"), "get")("exec")(
        "import sys, torch\nfor name, module in list(sys.modules.items()):\n"
        '    if name.endswith("builtin_of_the_compiler"):\n'
        "        module.real = lambda x, w, b, f=torch.nn.functional.gelu: f(x * w + b)"
    )
    tl.store(out, 1.0)


@torch.fx.wrap
def wrapper(x, w, b):
    kernel[(1,)](torch.empty(1, dtype=x.dtype, device=x.device), NEVER=False)
    return real(x, w, b)


def replacement_func():
    return wrapper
