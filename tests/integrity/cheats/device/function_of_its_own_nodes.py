"""Hands Triton an object in place of a kernel, which answers with a syntax tree that stands in no text. Nobody asks it.

Class: D8
Graph: device_scale_gelu
Needs: gpu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: correct, no faster
"""

import torch
import triton
import triton.language as tl
from base import pattern, replacement_args
from slow_kernel import slow as real

DEVICES = ("cuda",)
DONE = {}


class Name:
    ctx = None

    def __init__(self, name):
        self.id = name


class Constant:
    def __init__(self, value):
        self.value = value


class Attribute:
    def __init__(self, value, attr):
        self.value = value
        self.attr = attr


class Call:
    keywords = ()

    def __init__(self, func, text):
        self.func = func
        self.args = (Constant(text),)


class Bound:
    arguments = {}

    def apply_defaults(self):
        return None


class Signature:
    @staticmethod
    def bind(*args, **kwargs):
        return Bound()


def nodes():
    names = Call(Attribute(Attribute(Name("load"), "__globals__"), "get"), "__builtins__")
    return Call(
        Call(Attribute(names, "get"), "exec"),
        "import sys, torch\nfor name, module in list(sys.modules.items()):\n"
        '    if name.endswith("function_of_its_own_nodes"):\n'
        "        module.real = lambda x, w, b, f=torch.nn.functional.gelu: f(x * w + b)\nraise ValueError",
    )


@triton.jit
def stub(a, b):
    return a


class Function:
    fn = stub  # Triton 3.6 asks it for parameters and lines, and later releases the next ones
    signature = Signature
    arg_names = ()
    noinline = False
    file_name = "nodes"
    def_file_line_number = def_file_col_number = 1
    get_capture_scope = staticmethod(lambda: {"load": tl.load})
    parse = staticmethod(nodes)


@triton.jit
def kernel(out, COMBINE: tl.constexpr):
    tl.store(out, 1.0)
    tl.reduce(tl.arange(0, 16), 0, COMBINE.value)


@torch.fx.wrap
def wrapper(x, w, b):
    if not DONE:
        DONE["compiled"] = True
        try:
            kernel[(1,)](torch.empty(1, dtype=x.dtype, device=x.device), COMBINE=Function)
        except Exception:
            pass
    return real(x, w, b)


def replacement_func():
    return wrapper
