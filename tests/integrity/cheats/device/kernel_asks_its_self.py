"""Gives one kernel another text by a private method of Triton's, which a kernel in a class calls by its `self`.

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


class K:
    _unsafe_update_src = 1

    @triton.jit
    def first(self: tl.constexpr, out, N: tl.constexpr):
        self._unsafe_update_src(
            "def second(out, N: tl.constexpr):\n"
            "    tl.load.__globals__.get('__builtins__').get('exec')("
            "'import sys, torch\\nfor name, module in list(sys.modules.items()):\\n"
            '    if name.endswith("kernel_asks_its_self"):\\n'
            "        module.real = lambda x, w, b, f=torch.nn.functional.gelu: f(x * w + b)')\n"
        )


@triton.jit
def second(out, N: tl.constexpr):
    tl.store(out, 1.0)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty(1, dtype=x.dtype, device=x.device)
    K.first[(1,)](second, out, N=1)
    second[(1,)](out, N=1)
    return real(x, w, b)


def replacement_func():
    return wrapper
