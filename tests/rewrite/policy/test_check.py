"""The source policy: honest passes of every style are clean, each dodge is named by the rule that it breaks."""

import json

import pytest
import torch

from passnet.errors import UsageError
from passnet.rewrite import POLICY, check_policy, read_pass_set
from passnet.rewrite.policy.names import (
    COMPUTING_METHODS,
    CONVERSIONS,
    OTHER_METHODS,
    TENSOR_METHODS,
)

TRITON = '''
"""Fused gelu: one program per block."""
from __future__ import annotations

import math

import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

DEVICES = ("cuda",)
BLOCK = 1024
_PLANS: dict[tuple[int, ...], int] = {}


def pattern(in_0, in_1, in_2):
    tmp_0 = in_0 * in_1
    tmp_1 = torch.nn.functional.gelu(tmp_0 + in_2, approximate="none")
    in_0 = in_1 = None
    return (tmp_1,)


def replacement_args(in_0, in_1, in_2):
    """Everything, and the row length."""
    return (in_0, in_1, in_2, in_0.shape[-1], "gelu", 1.0)


@triton.autotune(configs=[triton.Config({"BLOCK": 256}, num_warps=4)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % 2 == 0})
@triton.jit
def _kernel(x, w, b, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n) * tl.load(w + at, mask=at < n) + tl.load(b + at, mask=at < n)
    tl.store(out + at, 0.5 * v * (1 + libdevice.erf(v / math.sqrt(2.0))), mask=at < n)


def _grid(n: int) -> tuple[int]:
    _PLANS[(n,)] = n
    return (triton.cdiv(n, BLOCK),)


@torch.fx.wrap
def fused(x: torch.Tensor, w, b, columns, route, scale):
    if route != "gelu" or not isinstance(x, torch.Tensor):
        raise ValueError(route)
    x = x.contiguous()
    rows = x.numel() // columns
    out = torch.empty_like(x, dtype=torch.float32 if x.dtype == torch.float64 else x.dtype)
    flat = out.view(rows * columns)
    _kernel[_grid(rows * columns)](x, w, b, flat, rows * columns)
    return out.view(x.shape)


def replacement_func():
    return fused
'''

SOURCE_STRING = '''
import torch
import torch.nn.functional as F
from passnet.kernels import cpp
from helper import launch_size

SOURCE = r"""
extern "C" void add(const float* x, const float* y, float* out, long n) {
  for (long i = 0; i < n; ++i) out[i] = x[i] + y[i];
}
"""
_kernel = cpp(SOURCE, "add")


def pattern(x, y):
    return F.relu(x + y)


def replacement_args(x, y):
    n = x.numel()
    return x, y, n


@torch.fx.wrap
def kernel(x, y, n):
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    _kernel(x, y, out, launch_size(n))
    return out


def replacement_func():
    return kernel
'''
HELPER = "import functools\n\n@functools.lru_cache\ndef launch_size(n: int) -> int:\n    return -(-n // 4) * 4\n"

DISPATCH = """
import torch
from shared import replacement_func

def pattern(x):
    return torch.sigmoid(x)

def replacement_args(x):
    return (x, "sigmoid")
"""
SHARED = """
import torch

def _sigmoid(x):
    return torch.empty_like(x)

@torch.fx.wrap
def dispatch(*args):
    route = args[-1]
    if route == "sigmoid":
        return _sigmoid(args[0])
    raise ValueError(route)

def replacement_func():
    return dispatch
"""

BASE = """
import torch
def pattern(x, y):
    return x + y
def replacement_args(x, y):
    return (x, y)
@torch.fx.wrap
def kernel(x, y):
    out = torch.empty_like(x)
    return out
def replacement_func():
    return kernel
"""

NATIVE = BASE.replace(
    "import torch\n",
    "import ctypes, subprocess, tempfile, hashlib, os\nfrom pathlib import Path\nimport numba\nimport torch\n",
    1,
)


def passes(directory, files, names=("A",)):
    for name, text in files.items():
        (directory / name).write_text(text)
    (directory / "sorted_output_pass_rule_names.json").write_text(json.dumps(list(names)))
    return read_pass_set(directory)


_HOME = "from triton.language.extra.cuda import libdevice\n"
_EITHER_HOME = f"""try:
    from triton.language.extra import libdevice
except ImportError:
    {_HOME}"""
HONEST = {
    "base": {"A.py": BASE},
    "triton": {"A.py": TRITON},
    "either_home": {"A.py": TRITON.replace(_HOME, _EITHER_HOME)},
    "source_string": {"A.py": SOURCE_STRING, "helper.py": HELPER},
    "dispatch": {"A.py": DISPATCH, "shared.py": SHARED},
}


@pytest.mark.parametrize("case", HONEST)
@pytest.mark.parametrize("level", ["strict", "native"])
def test_honest_passes_are_clean(tmp_path, case, level):
    assert [v.text() for v in check_policy(passes(tmp_path, HONEST[case]), level)] == []


def test_native_admits_what_strict_refuses(tmp_path):
    native = passes(tmp_path, {"A.py": NATIVE})
    assert check_policy(native, "native") == ()
    assert {v.rule for v in check_policy(native, "strict")} == {"import"}


def body(statement):
    return BASE.replace("    return out\n", f"    {statement}\n    return out\n")


def top(statement):
    return BASE.replace("def pattern", f"{statement}\ndef pattern", 1)


def triton(statement):
    return top(f"import triton\nimport triton.language\n{statement}\n")


def kernel(decorators):
    jit = "" if "jit" in decorators else "@triton.jit\n"
    return triton(f"{decorators}\n{jit}def k(x, y, n, N: triton.language.constexpr):\n    pass\n")


def asm(text):
    call = f"triton.language.inline_asm_elementwise({text}, '=r,r', [x], triton.language.int32, True, 1)"
    return triton(f"@triton.jit\ndef k(x):\n    return {call}\n")


def device(text, parameters="x", future=""):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return future + triton(f"@triton.jit\ndef k({parameters}):\n{lines}")


DODGES = {
    "tritons_name_in_a_branch": ("banned-name", device("if x is None:\n    getattr = 0\ngetattr(x, 'handle')")),
    "tritons_name_never_met": ("banned-name", device("for getattr in range(0):\n    pass\ngetattr(x, '_handle')")),
    "tritons_name_of_a_parameter": ("banned-name", device("getattr(x, 'handle')", "getattr, /, x")),
    "tritons_name_in_a_comprehension": ("banned-name", device("[0 for getattr in x]\ngetattr(x, 'handle')")),
    "type_of_a_local_name_in_a_kernel": (
        "banned-name",
        device("y: getattr(x, 'handle') = 1", future="from __future__ import annotations\n"),
    ),
    "entered_in_a_kernel": ("internals", device("with K(x) as y:\n    pass", "x, K: triton.language.constexpr")),
    "taken_for_a_kernel": ("leads-out", top("class K:\n    signature = 1")),
    "taken_for_a_descriptor": ("leads-out", top("import triton\nclass K:\n    def load(self, offsets): return 0")),
    "asks_for_a_compiler": ("leads-out", top("def f(at, _semantic=None): return 0")),
    "gives_a_compiler": ("leads-out", device("f(x, _generator=x)")),
    "handle_of_a_value": ("leads-out", top("def f(given): return given.handle.get_type()")),
    "compared_with_others": ("dunder", top("class K:\n    def __eq__(self, other): return False")),
    "builtins_of_another_name": ("leads-out", top("def f(given): return given.enum.bltns.exec('1')")),
    "taken_for_a_kernel_by_a_field": (
        "leads-out",
        top("import typing\nclass K(typing.NamedTuple):\n    arg_names: list"),
    ),
    "taken_for_a_kernel_by_name": (
        "leads-out",
        top("import collections\nK = collections.namedtuple('K', 'n, get_capture_scope')"),
    ),
    "compiler_of_a_kernel": ("leads-out", body("kernel.compile('library.ptx', options={})")),
    "source_of_a_kernel": ("leads-out", body("kernel.ASTSource(kernel, {}, {}, {})")),
    "compiler_of_a_compiled_kernel": ("leads-out", body("compiled = k[1](x); compiled.src.make_ir(1, 2, 3, 4, 5)")),
    "taken_for_a_type_by_a_private_name": (
        "leads-out",
        top("class K(KeyError):\n    def _flatten_ir_types(builder, out): builder.create_inline_asm()"),
    ),
    "given_what_a_type_has": (
        "leads-out",
        top("class K(KeyError):\n    def __init__(self, f): self._flatten_ir_types = f"),
    ),
    "taken_for_a_type": ("leads-out", top("class K:\n    to_ir = staticmethod(lambda builder: 1)")),
    "text_that_loses_its_spaces": (
        "kernel-text",
        triton("if True:\n    @triton.jit\n    def k(x):\n        f('*\\\n    /')"),
    ),
    "text_that_begins_with_spaces": (
        "kernel-text",
        triton("if True:\n    @triton.jit\n    def k(x):\n        hasattr(x, '\\\n    _kept')"),
    ),
    "call": ("library-call", body("torch.add(x, y, out=out)")),
    "traced": ("who-runs", body("out = x if torch.compiler.is_compiling() else out")),
    "traced_by_name": ("who-runs", body("f = torch.jit.is_tracing")),
    "trained": ("who-runs", body("out = x if y.requires_grad else out")),
    "trained_of_a_list": ("who-runs", body("out = x if [y][0].is_leaf else out")),
    "trained_of_any_self": ("who-runs", top("class K:\n    def f(self): return self.requires_grad")),
    "has_gradients": ("who-runs", body("out = x if y.grad is None else out")),
    "pinned": ("who-runs", body("out = x if y.is_pinned() else out")),
    "pinned_as_a_value": ("who-runs", body("f = y.is_pinned")),
    "gradients_recorded": ("who-runs", body("out = x if torch.is_grad_enabled() else out")),
    "threads_of_torch": ("who-runs", body("out = x if torch.get_num_threads() > 1 else out")),
    "threads_of_torch_by_name": ("who-runs", body("f = torch.get_num_threads")),
    "dtype_of_the_user": ("who-runs", body("out = torch.empty(3, dtype=torch.get_default_dtype())")),
    "settings_of_compilers": ("library-call", body("torch.compiler.reset()")),
    "number_of_threads_set": ("library-call", body("torch.set_num_threads(4)")),
    "sum_of_views": ("tensor-operator", body("a, b = torch.broadcast_tensors(x, y); out = a + b")),
    "sum_of_a_view": ("tensor-operator", body("out = torch.broadcast_tensors(x, y)[0] + 1")),
    "method_of_a_view": ("tensor-method", body("a, *b = torch.broadcast_tensors(x, y); out = a.relu()")),
    "kept_view": ("kept-tensor", body("KEPT[1] = torch.broadcast_tensors(x, y)")),
    "other_of_textwrap": ("reference", top("import textwrap\nk = textwrap.re")),
    "textwrap_as_a_value": ("reference", top("import textwrap\nk = textwrap")),
    "other_of_collections": ("reference", top("from collections import deque\nk = deque()")),
    "system_of_collections": ("reference", top("import collections\nk = collections._sys")),
    "computed_fields": ("made-class", top("import collections\nk = collections.namedtuple('K', 'a ' * 1)")),
    "kept_defaults": ("made-class", top("import collections\nk = collections.namedtuple('K', 'a', defaults=[[]])")),
    "home_of_a_class": ("made-class", top("import collections\nk = collections.namedtuple('K', 'a', module='torch')")),
    "namedtuple_as_a_value": ("made-class", top("from collections import namedtuple\nk = namedtuple")),
    "nn": ("library-call", top("import torch.nn.functional as F").replace("return out", "return F.gelu(x)")),
    "ops": ("library-call", body("out = torch.ops.aten.add(x, y)")),
    "alias": ("library-call", top("t = torch")),
    "alias_function": ("library-call", top("relu, k = torch.relu, 1")),
    "walrus": ("library-call", body("(f := torch.relu)")),
    "default_of_helper": ("library-call", top("def g(f=torch.relu):\n    return f\n")),
    "tensor_class": ("library-call", body("out = torch.Tensor.add(x, y)")),
    "tensor_class_called_for": ("library-call", body("isinstance(print(torch.Tensor), int)")),
    "tensor_class_is_the_value": ("library-call", body("isinstance(torch.Tensor, int)")),
    "tensor_class_to_own_function": (
        "library-call",
        top("def isinstance(x, t): return t\nisinstance(1, torch.Tensor)"),
    ),
    "tensor_class_of_a_walrus": ("library-call", body("isinstance(x, (T := torch.Tensor))")),
    "tensor_class_to_own_class": ("library-call", top("class K: pass\ndef g(x: K[torch.Tensor]): pass")),
    "tensor_class_to_an_operator": ("library-call", top("k = 1\ndef g() -> torch.Tensor | k: pass")),
    "tensor_class_of_a_field": ("library-call", top("class K:\n    x: torch.Tensor")),
    "through_other_module": (
        "library-call",
        body("out = triton.torch.add(x, y)").replace("import torch", "import torch, triton", 1),
    ),
    "helper_of_the_pattern": (
        "library-call",
        BASE.replace("return x + y", "return g(x, y)")
        + "def g(x, y):\n    return torch.add(x, y)\ndef h(x, y):\n    from A import g as k\n    return k(x, y)\n",
    ),
    "partial": ("library-call", top("import functools\nadd = functools.partial(max)")),
    "operator_module": (
        "library-call",
        body("out = operator.add(x, y)").replace("import torch", "import torch, operator", 1),
    ),
    "from_import": (
        "library-call",
        top("from torch import relu as harmless").replace("return out", "return harmless(x)"),
    ),
    "builtins_of_itself": ("dunder", top("from A import __builtins__ as room")),
    "builtins_of_the_set": ("dunder", top("from .A import __builtins__ as room")),
    "dunder_of_a_library": ("dunder", top("from math import __loader__ as k")),
    "name_that_no_text_binds": ("import", top("from A import somewhere as k")),
    "base_by_parameter": ("made-class", top("class K: pass\ndef make(K):\n    class M(K): pass")),
    "base_by_loop": ("made-class", top("class K: pass\ndef make(x):\n    for K in x:\n        class M(K): pass")),
    "own_super": ("dunder", top("def super(): pass\nclass K:\n    def __init__(self): super().__init__(1)")),
    "super_of_a_class": (
        "dunder",
        top("class K:\n    @classmethod\n    def make(self, x): super().__init__(x)"),
    ),
    "super_outside": ("dunder", top("def f(self): super().__init__()")),
    "super_of_another": (
        "dunder",
        top("class K:\n    def __init__(self, x):\n        self = x\n        super().__init__()"),
    ),
    "signature_of_a_kernel": ("leads-out", top("import triton\n@triton.jit\ndef k(n):\n    pass\nS = k.signature")),
    "self_of_a_function": ("private", top("class K:\n    _n = 1\ndef f(self): return self._n")),
    "self_bound_again": (
        "private",
        top("class K:\n    _n = 1\n    def f(self, x):\n        self = x\n        return self._n"),
    ),
    "called_by_the_collector": ("dunder", top("class K:\n    def __del__(self): pass")),
    "address_of_any_memory": (
        "dunder",
        top("class K:\n    @property\n    def __cuda_array_interface__(self): return {}"),
    ),
    "taken_by_torch": ("dunder", top("class K:\n    def __torch_function__(self, *args): return 1")),
    "heuristics_changed": ("leads-out", body("k.values['C'] = len")),
    "settings_changed": ("leads-out", body("k.kwargs['C'] = len")),
    "wrapper_called_eval": ("decorator", top("@torch.fx.wrap\ndef eval(x): return x\n")),
    "wrapper_deleted": ("decorator", top("@torch.fx.wrap\ndef g(x): return x\ndel g\n")),
    "builtin_given_by_a_module": ("ambiguous-import", top("import A\nif (x := 0): eval = 1\nk = A.eval")),
    "def_in_a_text": (
        "kernel-text",
        top('import triton\n@triton.jit\ndef k(n):\n    """\n    def k(n):\n        print()\n    """\n    pass\n'),
    ),
    "base_before_its_class": ("made-class", top("class K(M): pass\nclass M: pass")),
    "class_called_str": ("made-class", top("class str: pass")),
    "builtin_augmented": ("banned-name", top("class Catch: pass\neval += Catch()")),
    "builtin_augmented_in_a_class": ("banned-name", top("class K:\n    eval += K")),
    "import_bound_by_a_match": (
        "ambiguous-import",
        top("def f():\n    import typing\nmatch 1:\n    case typing: pass"),
    ),
    "import_bound_by_an_error": (
        "ambiguous-import",
        top("import typing\ntry: pass\nexcept Exception as typing: pass"),
    ),
    "import_bound_by_a_function": (
        "ambiguous-import",
        top("def never():\n    from torch import relu\ndef relu(x): pass"),
    ),
    "import_bound_by_a_parameter": ("ambiguous-import", top("import typing\ndef f(typing): pass")),
    "super_by_match": (
        "dunder",
        top("match 1:\n    case super: pass\nclass K:\n    def __init__(self): super().__init__()"),
    ),
    "jit_over_another_decorator": (
        "kernel-text",
        top("import triton\n@triton.jit\n@torch.no_grad()\ndef k(n):\n    pass"),
    ),
    "enumeration": ("import", top("import enum\nclass K(enum.Enum): A = 1")),
    "keyword_of_a_class": ("made-class", top("class K(Exception, kept=True): pass")),
    "parameter_of_the_launcher": (
        "kernel-text",
        top("import triton\n@triton.jit\ndef k(specialize_impl, n):\n    pass"),
    ),
    "options_of_a_kept_launch": ("launch-function", body("launch = k[(1,)]; launch(x, **MORE)")),
    "options_of_a_run": ("launch-function", body("k.run(x, grid=(1,), **MORE)")),
    "class_for_the_interpreter": ("banned-name", top("class interpreter_semantic: pass")),
    "function_for_the_interpreter": ("banned-name", top("def _InterpreterComparison(): pass")),
    "import_for_the_interpreter": ("banned-name", top("import math as interpreter_semantic")),
    "name_that_the_interpreter_needs": ("banned-name", body("k = interpreter_semantic")),
    "jit_of_another": ("kernel-text", top("import triton\ndef f(n): pass\n@triton.jit(f)\ndef k(n):\n    pass")),
    "kernel_of_a_parameter": (
        "kernel-text",
        top("import triton\ndef make(open):\n    @triton.jit\n    def k(n):\n        open(n)\n"),
    ),
    "dataclass_of_another": ("made-class", top("import dataclasses\n@dataclasses.dataclass(max)\nclass K: pass")),
    "dataclass_of_settings": ("made-class", top("import dataclasses\n@dataclasses.dataclass(**K)\nclass K: pass")),
    "typed_dictionary_called": ("made-class", top("import typing\nT = typing.TypedDict('T', {'a': int})")),
    "named_tuple_called": ("made-class", top("import typing\nT = typing.NamedTuple('T', [('a', int)])")),
    "tensor_at_an_address": ("leads-out", top("def f(given): return given.new(cdata=4096)")),
    "storage_by_name": ("leads-out", body("k.storage_type()")),
    "path_by_a_function": ("leads-out", top("def own(self): return self.path")),
    "kernel_by_a_method": ("leads-out", top("class K:\n    def own(self): return self.fn")),
    "file_of_a_path": ("leads-out", body("k.open('w')")),
    "helper_augmented": (
        "library-call",
        BASE.replace("return x + y", "return g(x, y)")
        + "def g(x, y):\n    return torch.relu(x)\nclass K:\n    g += 1\n",
    ),
    "taken_for_a_tensor": ("made-class", top("class K:\n    def data_ptr(self): return 4096")),
    "given_a_storage": ("made-class", top("class K:\n    def untyped_storage(self): return K()")),
    "type_by_name": ("leads-out", body("k.type('somewhere.it')")),
    "default_of_a_helper": (
        "default",
        BASE.replace("return x + y", "return g(x, y)") + "K = max\ndef g(x, y, k=K):\n    return x + y\n",
    ),
    "pattern_augmented": ("entry-point-use", top("class A: pattern += 1")),
    "item_of_a_literal_written": (
        "replacement_args computes",
        top("BOX = [0]").replace("return (x, y)", "BOX[0] = x\n    return (x, y)"),
    ),
    "code_of_a_graph": ("leads-out", body("x.graph.python_code('self')")),
    "table_of_the_interpreter": ("leads-out", body("k.rewritten_fn.clear()")),
    "attribute_that_no_text_binds": ("ambiguous-import", top("import A\nk = A.somewhere")),
    "wrapped_by_name": ("decorator", top("torch.fx.wrap('eval')")),
    "wrapped_and_kept": ("decorator", top("k = torch.fx.wrap")),
    "package_below": ("import", top("from pass_dir.math import pi as k")),
    "package_below_by_another_name": ("import", top("import pass_dir.math as k")),
    "relative_library": ("import", top("from .math import pi as k")),
    "unbound_method": ("attribute-write", top("class K:\n    def put(self, name): self.name = name\nK.put(max, 'n')")),
    "static_init": (
        "attribute-write",
        top("class K:\n    @staticmethod\n    def __init__(self, name): self.name = name"),
    ),
    "init_as_a_value": ("dunder", top("class K:\n    pass\nput = super(K, K).__init__")),
    "kept_field": ("made-class", top("import dataclasses\nF = dataclasses.field(default=0)")),
    "field_read_in_its_class": (
        "made-class",
        top("import dataclasses\n@dataclasses.dataclass\nclass K:\n    n: int = dataclasses.field()\n    print(n)"),
    ),
    "class_decorator": ("made-class", top("def swap(made): return 1\n@swap\nclass K: pass")),
    "metaclass_of_typing": ("made-class", top("import typing\nclass K(typing.Type): pass")),
    "base_by_another_name": ("made-class", top("import typing\nB = typing.Type\nclass K(B): pass")),
    "derived_text": ("made-class", top("class K(str): pass")),
    "derived_number": ("made-class", top("class K(int): pass")),
    "writes_itself": ("dunder", top("class K:\n    def __repr__(self): return 'print()'")),
    "home_of_a_method": ("dunder", top("class K:\n    @property\n    def __module__(self): return 'torch'")),
    "own_module_name": ("dunder", top("__name__ = 'torch.float32'")),
    "pattern_assigned": ("entry-point-use", top("def other(x): return x\n") + "\npattern = other\n"),
    "pattern_in_a_loop": ("entry-point-use", top("for pattern in (max,): pass")),
    "pattern_by_walrus": ("entry-point-use", top("(pattern := max)")),
    "evaluated_type": ("reference", top("import triton.language as tl\nK = tl.str_to_ty('i32', None)")),
    "compiler_options": ("launch-function", body("kernel[(1,)](x, ptx_options='--x')")),
    "options_unseen": ("launch-function", body("kernel[(1,)](x, **more)")),
    "config_unseen": ("launch-function", top("import triton\nC = triton.Config(OPTIONS)")),
    "annotated_kernel": ("kernel-text", top("import triton\nKIND = 'i32'\n@triton.jit\ndef k(n: KIND):\n    pass")),
    "path_of_an_error": ("leads-out", top("try:\n    pass\nexcept Exception as error:\n    PLACE = error.path")),
    "files": ("leads-out", top("def g(place): place.write_text('x')")),
    "class_called_triton": (
        "tensor-operator",
        top("class triton: jit = staticmethod(max)\n@triton.jit\ndef k(x, w):\n    return torch.empty_like(x) * w"),
    ),
    "parts_of_a_kernel": ("leads-out", top("import triton\n@triton.jit\ndef k(n):\n    pass\nP = k.params")),
    "abstract_class": ("leads-out", top("import collections.abc\nK = collections.abc.Mapping\nK.register(str)")),
    "private_of_a_base": (
        "private",
        top("import typing\nclass K(typing.NamedTuple):\n    a: int\n    def f(self): return self._fields"),
    ),
    "private_of_the_file": ("private", top("_n = 1\nclass K:\n    _n = 2\n    def f(self): return self._n")),
    "triton_enumeration": ("reference", top("import triton.language as tl\nP = tl.PropagateNan")),
    "bases_of_a_type": ("leads-out", top("class K: pass\nB = K.mro()")),
    "coroutine": ("coroutine", top("async def later(x):\n    return x")),
    "star": ("star-import", top("from torch import *")),
    "foreign": ("import", top("import cupy")),
    "foreign_submodule": ("import", top("import torch.utils.cpp_extension")),
    "package_relative": ("import", top("from .. import secrets")),
    "getattr": ("banned-name", body("out = getattr(torch, 'add')(x, y)")),
    "unknown_builtin": ("unknown-name", body("key = hash(x)")),
    "unknown_bound_never": ("unknown-name", top("if False:\n    hash = None\nhash(1)")),
    "unknown_at_top": ("unknown-name", top("bytearray(8)")),
    "module_through_typing": ("reference", top("import typing\nm = typing.sys")),
    "module_through_triton": ("reference", top("from triton.testing import torch as t\nadd = t.add")),
    "kernel_builder": ("reference", top("from passnet.kernels import build\nrun = build.run")),
    "frame": ("internals", body("(i for i in ()).gi_frame.f_builtins")),
    "class_pattern": ("internals", body("match x:\n        case object(exp=f): f()")),
    "class_pattern_by_position": ("internals", body("match x:\n        case K(frame): pass")),
    "tensor_kept": (
        "kept-tensor",
        top("KEPT = {}").replace("    return out\n", "    KEPT[x.shape] = out\n    return out\n"),
    ),
    "tensor_appended": (
        "kept-tensor",
        top("KEPT = []").replace("    return out\n", "    KEPT.append((1, out))\n    return out\n"),
    ),
    "kept_by_unpacking": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    KEPT[0], n = x.view(-1), 1\n"),
    "kept_by_a_star": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    *KEPT[0], n = x.view(-1), 1\n"),
    "kept_by_an_annotation": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    KEPT[0]: object = x.view(-1)\n"),
    "kept_by_a_loop": (
        "kept-tensor",
        top("KEPT = {}") + "def g(x):\n    for KEPT[0] in (x.view(-1),):\n        pass\n",
    ),
    "kept_by_a_list": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    return [0 for KEPT[0] in [x.view(-1)]]\n"),
    "kept_by_a_with": (
        "kept-tensor",
        top("KEPT = {}") + "def g(x, given):\n    with given(x.view(-1)) as KEPT[0]:\n        pass\n",
    ),
    "kept_in_place": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    KEPT[0] |= {0: x.view(-1)}\n"),
    "kept_by_its_name": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    KEPT.update(room=x.view(-1))\n"),
    "made_and_kept": ("kept-tensor", top("KEPT = [None]") + "def g(n):\n    KEPT[0] = torch.empty(n)\n"),
    "kept_in_a_tuple": ("kept-tensor", top("KEPT = {}") + "def g(x):\n    KEPT[0] = (1, x.new_empty(4))\n"),
    "made_at_import": ("kept-tensor", top("ROOM = torch.zeros(4)")),
    "made_in_a_class": ("kept-tensor", top("class K:\n    room = [torch.empty(4)]\n")),
    "made_in_a_default": ("kept-tensor", top("def g(n, room=torch.empty(4)):\n    return n\n")),
    "made_in_a_comprehension": ("kept-tensor", top("ROOMS = [torch.empty(n) for n in (1, 2)]")),
    "cached_room": ("kept-tensor", top("import functools\n@functools.cache\ndef g(n):\n    return torch.empty(n)\n")),
    "mutable_default": ("kept-tensor", top("def g(a, kept={}):\n    return kept\n")),
    "import_twice": ("ambiguous-import", top("def g():\n    import math as torch\n")),
    "import_of_either": (
        "ambiguous-import",
        top(
            "try:\n    from triton.language.extra import libdevice\nexcept ImportError:\n    import math as libdevice\n"
        ),
    ),
    "import_in_class": ("ambiguous-import", top("class G:\n    import torch as t\n")),
    "pattern_renamed": ("entry-point-use", top("from B import pattern as add")),
    "guard_of_torch": ("entry-point-use", top("from torch import compile as applies")),
    "guard_of_triton": ("entry-point-use", top("from triton import set_allocator as applies")),
    "guard_by_another_name": ("entry-point-use", top("from B import g as applies")),
    "guard_named": ("entry-point-use", top("applies = max")),
    "guard_that_pattern_calls": (
        "entry-point-use",
        BASE.replace("return x + y", "applies(x)\n    return x + y") + "def applies(match):\n    return True\n",
    ),
    "what_runs_passes": ("import", top("from passnet.kernels.compilation.compile import restore")),
    "what_runs_passes_whole": ("import", top("import passnet.kernels.native as native")),
    "pattern_of_a_module": ("entry-point-use", body("B.pattern(x, y)")),
    "pattern_runs": ("pattern", BASE.replace("return x + y", "torch.os.system('true')\n    return x + y")),
    "exec": ("banned-name", top("exec('import os')")),
    "import_call": ("banned-name", top("__import__('os')")),
    "type_check": ("banned-name", body("if type(x) is not torch.Tensor: return out")),
    "address": ("banned-name", body("key = id(x)")),
    "terminal": ("banned-name", body("input()")),
    "dunder": ("dunder", body("out.__class__")),
    "dunder_method": ("dunder", body("out = x.__add__(y)")),
    "dunder_name": ("dunder", top("class K:\n    __annotations__ = {'x=print(), y': int}\n")),
    "dunder_capture": ("dunder", top("class K:\n    match {}:\n        case __annotations__: pass\n")),
    "dunder_import": ("dunder", top("import math as __builtins__")),
    "dunder_class": ("dunder", top("class K:\n    class __annotations__:\n        pass\n")),
    "leads_to_globals": (
        "leads-out",
        top("import triton\n@triton.jit\ndef k(p):\n    pass\n").replace("return out", "return k.get_capture_scope()"),
    ),
    "leads_to_a_module": ("leads-out", body("try: pass\n    except AttributeError as error: error.obj")),
    "leads_to_files": ("leads-out", body("x.numpy()")),
    "library_path": ("leads-out", top("from passnet.kernels import cuda\nk = cuda('').cubin")),
    "any_library": ("reference", top("from passnet.kernels import Library\nk = Library('c.so', ())")),
    "wraps_of_triton": ("reference", top("import triton.language as tl\nw = tl.math.wraps")),
    "module_of_triton": ("reference", top("import triton.language as tl\nw = tl.math.core")),
    "libdevice_as_a_value": ("reference", top("from triton.language.extra.cuda import libdevice\nw = libdevice")),
    "clock_of_triton": (
        "reference",
        top("import triton\nfrom triton.language.extra import cuda\n@triton.jit\ndef k(p):\n    cuda.globaltimer()\n"),
    ),
    "driver": ("reference", top("import triton\nd = triton.runtime.driver.active")),
    "kernel_in_a_text": (
        "kernel-text",
        top(
            'import triton\n@triton.autotune([], key=["n", """\ndef k(n):\n    n.os\n    """][:1])\n'
            '@triton.jit\ndef k(n):\n    """#"""\n'
        ),
    ),
    "kernel_in_a_class": (
        "kernel-text",
        top('import triton\nclass K:\n    @triton.jit\n    def k(n):\n        """\ndef k(n): n.os\n"""\n'),
    ),
    "private_name_in_a_kernel": (
        "private",
        top("import triton\nclass K:\n    _u = 1\n    @triton.jit\n    def k(self, n):\n        self._u(n)\n"),
    ),
    "method_in_a_kernel": (
        "private",
        top(
            "import triton\nclass C:\n    _u = 1\n"
            "@triton.jit\ndef k(n):\n    class K:\n        def f(self):\n            self._u(n)\n"
        ),
    ),
    "kernel_before_its_line": ("kernel-text", top("import triton\n@\\\ntriton.jit\ndef k(n):\n    pass\n")),
    "kernel_of_a_lambda": ("kernel-text", top("import triton\nk = triton.jit(lambda n: n)")),
    "generator_in_a_mode": (
        "open-context",
        top("def g():\n    with torch.inference_mode():\n        yield\nHELD = g()\nnext(HELD)"),
    ),
    "delegated_in_a_mode": (
        "open-context",
        top("def g():\n    with torch.no_grad():\n        for n in (1,):\n            n = yield from (n,)"),
    ),
    "coroutine_in_a_mode": (
        "open-context",
        top("async def g(other):\n    with torch.inference_mode():\n        await other"),
    ),
    "mode_that_is_never_left": (
        "open-context",
        top("class K(torch.inference_mode):\n    def __exit__(self, *rest): pass\nwith K(): pass"),
    ),
    "module_of_torch_by_name": ("import", top("from torch import _dynamo, nn")),
    "module_of_kernels_by_name": ("import", top("from passnet.kernels import native")),
    "final_on_anothers_class": ("made-class", top("import typing\ntyping.final(torch.Size)")),
    "overload_that_keeps": ("reference", top("import typing\ndef f(out):\n    typing.overload(lambda: out)")),
    "mode_entered_twice": (
        "open-context",
        top("M = torch.inference_mode()\ndef f(x):\n    with M:\n        with M:\n            return x"),
    ),
    "mode_under_another_name": ("open-context", top("from torch import no_grad\nMade = no_grad\nM = Made()")),
    "mode_as_a_default": ("open-context", top("def f(x, m=torch.no_grad()):\n    with m, m:\n        return x")),
    "mode_named_in_a_with": ("open-context", top("def f(x):\n    with (m := torch.no_grad()), m:\n        return x")),
    "device_entered_twice": (
        "open-context",
        top("D = torch.cuda.device(0)\ndef f(x):\n    with D, D:\n        return x"),
    ),
    "mode_entered_by_hand": ("dunder", top("torch.inference_mode().__enter__()")),
    "hook_of_a_config": ("launch-function", triton("c = triton.Config({}, pre_hook=print)")),
    "hook_by_position": ("launch-function", triton("c = triton.Config({}, 4, 2, 1, None, print)")),
    "hook_in_a_spread": ("launch-function", triton("c = triton.Config({}, **{'pre_' + 'hook': print})")),
    "hook_through_another_name": ("launch-function", triton("C = triton.Config\nc = C({}, pre_hook=print)")),
    "code_of_a_file": ("launch-function", triton("c = triton.Config({}, ir_override='/tmp/x.ttgir')")),
    "hook_of_the_tuner": ("launch-function", kernel("@triton.autotune([], key=['n'], post_hook=print)")),
    "own_clock_of_the_tuner": ("launch-function", kernel("@triton.autotune([], key=['n'], do_bench=print)")),
    "hook_of_a_kernel": ("launch-function", kernel("@triton.jit") + "k.add_pre_run_hook(print)\n"),
    "metadata_of_launches": ("launch-function", kernel("@triton.jit(launch_metadata=print)")),
    "pruning_computes": (
        "launch-function",
        kernel("@triton.autotune([], ['n'], prune_configs_by={'perf_model': lambda x, **rest: x.sum()})"),
    ),
    "pruning_from_elsewhere": ("launch-function", kernel("@triton.autotune([], ['n'], prune_configs_by=TABLE)")),
    "heuristic_method": (
        "launch-function",
        kernel("@triton.heuristics({'N': lambda args: args['x'].copy_(args['y'])})"),
    ),
    "heuristic_in_place": (
        "launch-function",
        kernel("@triton.heuristics({'N': f})") + "def f(args):\n    x = args['x']\n    x += 1\n    return 1\n",
    ),
    "heuristic_writes": (
        "launch-function",
        kernel("@triton.heuristics({'N': f})") + "def f(args):\n    args['x'][0] = 1\n    return 1\n",
    ),
    "heuristic_of_a_helper": (
        "launch-function",
        kernel("@triton.heuristics({'N': lambda args: f(args)})") + "def f(args):\n    return args['x'].relu()\n",
    ),
    "heuristic_gives_a_tensor": (
        "launch-function",
        kernel("@triton.heuristics({'n': lambda args: args['x'] * args['x']})"),
    ),
    "heuristic_as_a_call": ("launch-function", triton("h = triton.heuristics({'N': lambda args: 1})")),
    "heuristic_launches": ("launch-function", kernel("@triton.heuristics({'N': lambda args: other[(1,)](args)})")),
    "allocator_computes": (
        "launch-function",
        triton("def room(size, alignment, stream):\n    print(size)\n    return torch.empty(size)")
        + "triton.set_allocator(room)\n",
    ),
    "allocator_of_another_size": (
        "launch-function",
        triton("triton.set_allocator(lambda size, alignment, stream: torch.empty(1, device='cuda'))"),
    ),
    "allocator_of_another_place": (
        "launch-function",
        triton("triton.set_allocator(lambda size, alignment, stream: torch.empty(size))"),
    ),
    "allocator_keeps": (
        "launch-function",
        triton("KEPT = []\ntriton.set_allocator(lambda size, alignment, stream: KEPT[0])"),
    ),
    "allocator_of_a_class": ("launch-function", triton("triton.set_allocator(print)")),
    "global_hooks": ("reference", triton("triton.knobs.runtime.launch_enter_hook = print")),
    "hooks_imported": ("reference", top("from triton import knobs\nknobs.runtime.jit_cache_hook")),
    "other_allocator": ("reference", triton("triton.runtime._allocation.set_profile_allocator(print)")),
    "linked_code": ("launch-function", kernel("@triton.jit") + "k[(1,)](1, extern_libs={'m': '/tmp/m.bc'})\n"),
    "linked_code_in_a_spread": ("launch-function", triton("OPTIONS = {'extern_libs': {'m': '/tmp/m.bc'}}")),
    "function_of_a_file": ("reference", triton("f = triton.language.extern_elementwise")),
    "assembly_with_state": ("assembly", asm("'.global .u32 kept; mov.u32 $0, kept;'")),
    "assembly_by_address": ("assembly", asm("'ld.global.u32 $0, [$1];'")),
    "assembly_reads_a_clock": ("assembly", asm("'mov.u32 $0, %clock;'")),
    "assembly_waits": ("assembly", asm("'nanosleep.u32 1000; mov.u32 $0, $1;'")),
    "assembly_traps": ("assembly", asm("'trap;'")),
    "assembly_jumps": ("assembly", asm("'{ again: bra again; }'")),
    "assembly_after_a_comment": ("assembly", asm(r"'/* mov */ mov.b32 $0, $1; // fine\n exit;'")),
    "assembly_names_a_special_register": (
        "assembly",
        asm("'.reg .b32 %gridid<1>; cvt.u32.u64 $0, %gridid;'"),
    ),
    "assembly_beside_its_scope": ("assembly", asm("'{ .reg .b32 %clock; } mov.u32 $0, %clock;'")),
    "assembly_before_its_scope": ("assembly", asm("'mov.u32 $0, a; { .reg .b32 a; }'")),
    "assembly_beyond_its_family": ("assembly", asm("'.reg .b32 a<2>; mov.u32 $0, a2;'")),
    "assembly_without_its_number": ("assembly", asm("'.reg .b32 a<2>; mov.u32 $0, a;'")),
    "assembly_by_a_choice": ("assembly", asm("'.reg .b32 %c, x, lock; mov.u32 $0, %c$(lock$|x$);'")),
    "assembly_with_a_number_in_a_name": ("assembly", asm("'.reg .b32 %c; mov.u32 $0, %c$1;'")),
    "assembly_of_another_function": ("assembly", asm("'mov.u32 $0, $1; } {'")),
    "assembly_with_a_line_marker": ("assembly", asm("'mov.u32 $0,\\n# 1 \"x\"\\n $1;'")),
    "assembly_with_a_carriage_return": ("assembly", asm("'mov.u32 $0, $1; // x \\r trap;'")),
    "assembly_put_together": ("assembly", asm("'mov.u32 $0, ' + '%clock;'")),
    "assembly_as_a_value": ("assembly", triton("f = triton.language.inline_asm_elementwise")),
    "metaclass": ("made-class", top("class K(metaclass=max):\n    pass\n")),
    "dataclass_called": ("made-class", top("import dataclasses\nK = dataclasses.dataclass(max)")),
    "dataclass_of_a_made_class": (
        "made-class",
        top("import dataclasses, enum\nE = enum.Enum('E', {})\n@dataclasses.dataclass\nclass K(E):\n    pass\n"),
    ),
    "format": ("format", body("'{0.grad_fn}'.format(x)")),
    "format_of_a_name": ("format", top("TEXT = '{0.shape}'\nprint(TEXT.format(1))")),
    "format_in_a_form": ("format", body("'{0:{1.shape}}'.format(1, x)")),
    "private": ("private", body("library = out._base")),
    "private_of_a_match": ("private", BASE + "\n\ndef applies(match):\n    return match._inputs is not None\n"),
    "patch": ("attribute-write", top("torch.allclose = None")),
    "patch_delete": ("attribute-write", top("del torch.allclose")),
    "patch_loop": ("attribute-write", top("for torch.allclose in (1,): pass")),
    "patch_by_name": ("attribute-write", top("def rename(self, name):\n    self.name = name")),
    "patch_by_lambda": ("attribute-write", top("class K:\n    def m(x):\n        self.name = x")),
    "patch_second": ("attribute-write", top("class K:\n    def m(this, self):\n        self.name = this")),
    "patch_another": ("attribute-write", top("class K:\n    def m(self):\n        self = torch\n        self.n = 1")),
    "patch_by_match": (
        "attribute-write",
        top("class K:\n    def m(self, x):\n        match x:\n            case self: self.n = 1"),
    ),
    "type_of_typing": ("reference", top("from typing_extensions import GenericMeta\nK = GenericMeta('K', (), {})")),
    "type_of_methods": ("reference", top("import typing\nK = typing.MethodWrapperType")),
    "fields": ("reference", top("import dataclasses\nF = dataclasses.fields")),
    "any_attribute": ("reference", top("import dataclasses\nF = dataclasses.asdict")),
    "global": ("scope", body("global cache")),
    "bare_decorator": ("decorator", BASE.replace("def pattern", "@print\ndef pattern", 1)),
    "odd_decorator": ("decorator", top("@(lambda f: f)\ndef g(a):\n    return a\n")),
    "cached_wrapper": (
        "decorator",
        top("import functools").replace("@torch.fx.wrap", "@torch.fx.wrap\n@functools.cache"),
    ),
    "default": ("default", BASE.replace("pattern(x, y)", "pattern(x, y=print())")),
    "default_of_a_name": ("default", top("K = 1").replace("pattern(x, y)", "pattern(x, y=K)")),
    "pattern_used": ("entry-point-use", BASE.replace("return out", "return pattern(x, y)")),
    "args_compute": ("replacement_args computes", BASE.replace("return (x, y)", "return (x + y, y)")),
    "args_call": ("replacement_args computes", BASE.replace("return (x, y)", "return (torch.relu(x), y)")),
    "args_method": ("replacement_args computes", BASE.replace("return (x, y)", "return (x.exp(), y)")),
    "func_computes": ("replacement_func", BASE.replace("return kernel", "return [kernel][0]")),
    "func_statement": ("replacement_func", BASE.replace("    return kernel", "    n = 1\n    return kernel")),
    "func_lambda": ("replacement_func", BASE.replace("return kernel", "return lambda x, y: x + y")),
    "func_lambda_by_default": (
        "replacement_func",
        BASE.replace("return kernel", "return lambda x, f=max: kernel(x, f)"),
    ),
    "func_lambda_computes": ("replacement_func", BASE.replace("return kernel", "return lambda x, y: kernel(x, x + y)")),
    "func_asks_what_computes": (
        "replacement_func",
        BASE.replace("return kernel", "return which()") + "def which():\n    print()\n    return kernel\n",
    ),
    "func_asks_what_is_bound_twice": (
        "replacement_func",
        BASE.replace("return kernel", "return which()") + "def which():\n    return kernel\nwhich = print\n",
    ),
    "func_keeps": ("replacement_func", BASE.replace("    return kernel", "    kept = []\n    return kernel")),
    "wrapper_inside": (
        "tensor-operator",
        BASE.replace("    return kernel", "    def inner(x, y):\n        return x * y\n    return inner"),
    ),
    "wrapper_inside_calls": (
        "library-call",
        BASE.replace("    return kernel", "    def inner(x, y):\n        return torch.mul(x, y)\n    return inner"),
    ),
    "converted_operand": ("tensor-operator", body("out = x.to(torch.float32) * 2")),
    "converted_method": ("tensor-method", body("out = x.float().exp()")),
    "method_by_name": ("pattern", BASE.replace("return x + y", "return x.__getattr__('__class__')(y)")),
    "method_by_a_name": ("pattern", top("N = '__eq__'").replace("return x + y", "return x.__getattr__(N)(y)")),
    "package_as_a_value": ("import", top("import pass_dir")),
    "package_renamed": ("import", top("import pass_dir as p")),
    "package_in_full": ("import", top("import pass_dir.A")),
    "builtin_after_del": ("banned-name", top("eval = 1\ndel eval\neval('1')")),
    "builtin_unless_bound": ("banned-name", top("if torch.finfo:\n    pass\nelse:\n    eval = 1\neval('x')")),
    "builtin_in_a_comprehension": ("banned-name", body("[eval for x in (1,)][0]('1')")),
    "builtin_beside_a_comprehension": ("banned-name", body("[eval for eval in (1,)]; eval('1')")),
    "builtin_in_an_inner_function": ("banned-name", body("def g():\n        return input()")),
    "builtin_in_a_class": ("banned-name", top("class K:\n    f = eval\n    eval = 1\n")),
    "builtin_by_global": ("banned-name", body("global eval; eval('x')")),
    "operator": ("tensor-operator", body("out = x + 1")),
    "matmul": ("tensor-operator", body("out = a @ b")),
    "augmented": ("tensor-operator", body("out += x")),
    "comparison": ("tensor-operator", body("out = x > y")),
    "helper_operator": ("tensor-operator", body("out = g(x)") + "def g(v):\n    return v * 2\n"),
    "method": ("tensor-method", body("out = x.exp()")),
    "method_in_place": ("tensor-method", body("out.copy_(x)")),
    "method_of_view": ("tensor-method", body("out = x.view(-1).sum()")),
    "unpacked": ("tensor-operator", body("a, b = x, y; out = a + b")),
    "walrus_operand": ("tensor-operator", body("out = (z := x) * 2")),
    "picked": ("tensor-operator", body("out = [x, y][0] * 2")),
    "builtin_on_tensors": ("tensor-operator", body("out = sum([x, y])")),
    "value_of_tensor": ("tensor-operator", body("key = float(x[0])")),
    "renamed": ("tensor-method", body("z = x; out = z.relu()")),
    "of_what_nobody_knows": ("tensor-method", body("out = next(iter([x])).matmul(y)")),
    "of_a_call": ("tensor-method", body("out = g(x).softmax(-1)") + "def g(v):\n    return next(iter([v]))\n"),
    "of_a_name_that_hides_a_module": ("tensor-method", body("torch = next(iter([x])); out = torch.relu()")),
    "by_a_lambda_of_the_file": ("tensor-method", top("MUL = lambda a, b: a.matmul(b)")),
    "by_a_lambda_of_a_class": ("tensor-method", top("class K:\n    mul = staticmethod(lambda a, b: a.matmul(b))\n")),
    "by_a_default": ("tensor-method", top("def f(a, g=lambda a: a.relu()):\n    return g\n")),
    "by_an_operator_of_the_file": ("tensor-operator", top("MUL = lambda a, b: a @ b")),
    "by_a_name_that_a_lambda_hides": ("tensor-method", body("out = (lambda torch: torch.relu())(x)")),
    "by_a_name_from_around": (
        "tensor-method",
        top("class K:\n    pass\n")
        + "def g(x):\n    K = next(iter([x]))\n    def inner():\n        return K.relu()\n    return inner\n",
    ),
    "of_an_object_made_there": ("tensor-method", body("z = next(iter([x])); out = z.relu()")),
}


@pytest.mark.parametrize("case", DODGES)
def test_each_dodge_is_named(tmp_path, case):
    rule, text = DODGES[case]
    found = check_policy(passes(tmp_path, {"A.py": text}), "strict")
    assert rule in {violation.rule for violation in found}
    if "native" in next(row.levels for row in POLICY if row.name == rule):
        assert rule in {violation.rule for violation in check_policy(passes(tmp_path, {"A.py": text}), "native")}
    for violation in found:
        assert violation.file == "A.py"
        assert 1 <= violation.line <= text.count("\n") + 1
        assert all((violation.what, violation.why, violation.fix))
        json.dumps(violation.to_json())


def test_numpy_is_compiled_in_a_kernel_and_a_library_elsewhere(tmp_path):
    kernel = "import numba\nimport numpy as np\n@numba.njit\ndef loop(a, out):\n    out[0] = np.%s(a[0])\n"
    assert check_policy(passes(tmp_path, {"A.py": top(kernel % "exp")}), "native") == ()
    found = check_policy(passes(tmp_path, {"A.py": top(kernel % "dot")}), "native")
    assert {violation.rule for violation in found} == {"reference"}
    on_host = top("import numpy as np").replace("return out", "return np.exp(out)")
    assert "reference" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": on_host}), "native")}


def test_helpers_are_checked_and_their_imports_are_seen_through(tmp_path):
    main = BASE.replace("import torch\n", "import torch\nfrom helper import F\nimport helper\n", 1)
    main = main.replace("return out", "return F.relu(helper.F.gelu(x))")
    found = check_policy(passes(tmp_path, {"A.py": main, "helper.py": "import torch.nn.functional as F\n"}))
    assert {violation.what for violation in found} == {"torch.nn.functional.relu", "torch.nn.functional.gelu"}
    for line in (
        *("import helper", "from helper import x", "from . import helper", "from .helper import x"),
        *("from pass_dir import helper", "from pass_dir.helper import x", "import pass_dir.helper as h"),
    ):
        for text in (top(line), BASE + f"def g():\n    {line}\n"):
            found = check_policy(passes(tmp_path, {"A.py": text, "helper.py": "import socket\n"}))
            assert ("helper.py", "import") in [(v.file, v.rule) for v in found], line


def test_a_file_whose_name_has_dots_is_a_rule_and_no_module(tmp_path):
    """What its names mean is not followed, so a library would come through it unseen."""
    for line in ("from other.one import relu", "from pass_dir.other.one import relu", "from .other.one import relu"):
        main = BASE.replace("import torch\n", f"import torch\n{line}\n", 1).replace("return out", "return relu(x)")
        other = BASE.replace("import torch\n", "import torch\nfrom torch import relu\n", 1)
        found = check_policy(passes(tmp_path, {"A.py": main, "other.one.py": other}, names=("A", "other.one")))
        assert [(v.file, v.rule) for v in found] == [("A.py", "import")], line


@pytest.mark.parametrize("use", ["n = x.dtype; hasattr(x, n)", "hasattr(x, '_base')", "h = hasattr; h(x, 'shape')"])
def test_hasattr_asks_for_public_names_that_are_written_out(tmp_path, use):
    assert [v.rule for v in check_policy(passes(tmp_path, {"A.py": body(use)}))] == ["banned-name"]


def test_a_file_that_nothing_imports_is_not_judged(tmp_path):
    files = {"A.py": BASE, "other.py": "import socket\n", "not a module.py": "(", "torchvision-0.1.py": ""}
    found = passes(tmp_path, files)
    assert check_policy(found) == ()
    assert [file.stem for file in found.files] == ["A"]


def test_a_shared_wrapper_is_read_with_what_each_rule_gives_it(tmp_path):
    shared = SHARED.replace("def dispatch(*args):\n    route = args[-1]\n", "def dispatch(x, route):\n").replace(
        "return _sigmoid(args[0])", "return x * 2"
    )
    for spelling in ("shared", "pass_dir.shared", ".shared"):
        found = check_policy(
            passes(tmp_path, {"A.py": DISPATCH.replace("from shared", f"from {spelling}"), "shared.py": shared})
        )
        assert [(v.file, v.rule) for v in found] == [("shared.py", "tensor-operator")]


def test_numbers_of_a_pattern_may_be_computed_with(tmp_path):
    text = BASE.replace("return x + y", "return torch.nn.functional.dropout(x, y, False)")
    text = text.replace("    return out\n", "    if y == 0.0:\n        return out\n    return out\n")
    assert check_policy(passes(tmp_path, {"A.py": text})) == ()
    text = text.replace("y == 0.0", "x == 0.0")
    assert [v.rule for v in check_policy(passes(tmp_path, {"A.py": text}))] == ["tensor-operator"]


def test_every_rule_has_a_reason_a_remedy_and_a_test():
    assert len({rule.name for rule in POLICY}) == len(POLICY)
    assert all(rule.why and rule.fix and rule.levels for rule in POLICY)
    assert {rule.name for rule in POLICY} == {rule for rule, _ in DODGES.values()}


def test_what_honest_files_do_with_classes_and_texts_is_accepted(tmp_path):
    text = top(
        "import dataclasses, functools\nfrom passnet.kernels import Library, cpp\n"
        "__all__ = ['pattern']\n"
        "@dataclasses.dataclass(frozen=True)\nclass Base:\n    n: int\n"
        "@dataclasses.dataclass\nclass Plan(Base):\n    name: str = '{}'.format(1)\n    def __post_init__(self): pass\n"
        "@functools.cache\ndef compiled(name) -> Library:\n    return cpp('{0}: {1:>4}'.format(name, 2))\n"
        "def h(x: list[torch.Tensor | None | int]) -> torch.Tensor | None:\n"
        "    return isinstance(x, (int, torch.Tensor))\n"
        "def g(input, open=1):\n    return input.shape, open\n"
    )
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}))] == []


def test_a_constant_that_is_a_text_may_be_a_format(tmp_path):
    text = top("ENTRY: str = 'void {name}_{0}(const {t:>4}* x) {{ }}'\nPARTS = [ENTRY.format(1, name='a', t='int')]\n")
    text += "def g(name):\n    return ENTRY.format_map({'name': name, '0': 1, 't': 2})\n"
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}))] == []


@pytest.mark.parametrize(
    "more",
    [
        "T += '{0.shape}'",
        "T = '{0.shape}'",
        "def g(T):\n    return T.format(1)",
        "def g(x):\n    return [T.format(1) for T in x]",
        "def g():\n    global T\n    T = '{0.shape}'",
        "def g():\n    import torch as T\n    T.format(1)",
        "class K:\n    T = '{0.shape}'\n    N = T.format(1)",
        "str = '{}'\nN = str.format('{0.shape}', 1)",
        "N = '{}' '{0.shape}'\nN.format(1)",
    ],
)
def test_a_format_that_may_be_another_text_is_refused(tmp_path, more):
    text = top(f"T = '{{}}'\nT.format(1)\n{more}\n")
    assert "format" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": text}))}


def test_views_texts_and_records_are_accepted(tmp_path):
    text = top(
        "import textwrap\nfrom collections import namedtuple\nfrom passnet.kernels import cpp\n"
        "library = cpp(textwrap.dedent('  text'))\n"
        "Plan = namedtuple('Plan', 'rows columns')\nSizes = namedtuple('Sizes', ['n', 'threads'])\n"
    ) + (
        "def g(x: torch.Tensor, y):\n"
        "    x, y = torch.broadcast_tensors(x, y)\n"
        "    rows, columns = x.shape\n"
        "    plan, sizes = Plan(rows, columns), Sizes(rows * columns, 2)\n"
        "    return x.stride(), plan.rows + sizes.threads\n"
    )
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}))] == []


def test_modules_of_graphs_functions_are_imported_by_name(tmp_path):
    text = top("from torch import cuda, fx, nn, special\nfrom torch.nn import functional as F")
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}))] == []


def test_a_kernel_may_be_called_as_methods_of_containers_are(tmp_path):
    called = "def g(x: torch.Tensor, y, out):\n    {0}.add(x, y, out)\n    {0}.update(x, out, x.numel())\n"
    made = top("from passnet.kernels import cpp\nlibrary = cpp('text')\nKEPT = {}\n")
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": made + called.format("library")}))] == []
    found = check_policy(passes(tmp_path, {"A.py": made + called.format("KEPT")}))
    assert {v.rule for v in found} >= {"kept-tensor"}


TO_TRITON = """
def few(configs, named_args, **rest):
    kept = []
    for config in configs:
        if config.kwargs["N"] <= named_args["n"] and config.num_warps < 8:
            kept.append(config)
    return kept or configs[:1]

def warps(args):
    '''Few for short rows.'''
    size = args["x"].element_size() * lanes(args["n"])
    return 8 if size > 4096 and args["x"].dtype == torch.float32 else 4

def lanes(n):
    return min(32, math.ceil(n / 4), max(1, n))

def room(size: int, alignment: int, stream: int | None):
    '''For descriptors.'''
    return torch.empty(size, device="cuda", dtype=torch.int8)

triton.set_allocator(room)

def sizes():
    with torch.no_grad():
        found = [n for n in (1, 2)]
        order = lambda: (yield)
    yield from found
"""


def test_what_honest_files_hand_to_triton_is_accepted(tmp_path):
    text = kernel(
        "@triton.autotune(configs=[triton.Config({'N': n}, num_warps=w) for n in (1, 2) for w in (2, 4)], key=['n'],\n"
        "                 prune_configs_by={'early_config_prune': few, 'top_k': 4}, reset_to_zero=['y'])\n"
        "@triton.heuristics({'N': lambda args: triton.next_power_of_2(args['x'].shape[-1]), 'num_warps': warps})"
    )
    text = text.replace("import torch\n", "import math\nimport torch\n", 1) + TO_TRITON
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}))] == []


@pytest.mark.parametrize(
    "text",
    [
        "cvt.rn.bf16x2.f32 $0, $2, $1;",
        "{ .reg .b32 r<4>; .reg .pred p; setp.gt.f32 p, $1, 0f00000000; @p add.s32 r0, $1, 1; mov.b32 $0, r0; }",
        "tanh.approx.f32 $0, $1;",
        "lop3.b32 $0, $1, 0x0f0f0f0f, $2, 0xEA; // pick\n",
        "\n    {\n    .reg .b16 lo, hi;\n    mov.b32 {lo, hi}, $1;\n    mov.b32 $0, {hi, lo};\n    }\n    ",
        '{ .reg .b32 %t<2>, %kept; mov.b32 %t1, ${1}; { mov.b32 %kept, %t1; } mov.b32 $0, -%kept; } // it\'s "#1"',
    ],
)
def test_assembly_that_computes_is_accepted(tmp_path, text):
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": asm(repr(text))}))] == []


KERNELS = {
    "parameters": device("triton.language.store(input, type + len)", "input, type, id, len"),
    "asked": device("if hasattr(x, 'dtype'):\n    y: triton.language.constexpr = 1"),
    "indented": triton(
        'if True:\n    @triton.jit\n    def k(x):\n        """Its doc.\n\n        More of it.\n        """\n'
        '        y = triton.language.inline_asm_elementwise("""\n            add.s32 $0, $1, 1;\n  \n'
        '        """, "=r,r", [x], triton.language.int32, True, 1)\n        """A remark\n        of two lines."""'
    ),
    "blank_lines": device('"""Its doc.\n   \n"""\ny = """a\n   \n b"""'),
}


@pytest.mark.parametrize("case", KERNELS, ids=str)
def test_honest_kernels_are_accepted(tmp_path, case):
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": KERNELS[case]}))] == []


def test_native_classes_may_have_any_field(tmp_path):
    text = top("import dataclasses\n@dataclasses.dataclass\nclass K:\n    filename: str\n    signature: tuple")
    assert check_policy(passes(tmp_path, {"A.py": text}), "native") == ()


def test_what_published_files_do_is_accepted(tmp_path):
    text = top("import numpy").replace("import numpy\n", "") + (
        "def g(x: torch.Tensor, input, type=None):\n"
        "    id = [open for open in (1, 2)]\n"
        "    if hasattr(x, 'is_nested') and input == type:\n"
        "        return never_defined\n"
        "    torch.cuda.synchronize(); x.new_empty(3).fill_(1.0)\n"
        "    return x.to(torch.float16), x.float().cuda(), x.type_as(x), x.broadcast_to((2, 3)).reshape_as(x), id\n"
    )
    text = (
        text.replace("return (x, y)", "return (x, y, 1.0 / 8)")
        .replace("pattern(x, y)", "pattern(x, y=None)")
        .replace("return x + y", "return x.__getattr__('__eq__')(0)")
    )
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}))] == []
    for answer in (
        "import math\n    def inner(x, y):\n        return kernel(x, y)\n    return inner",
        "return lambda x, y: kernel(x, y)",
        "return which()",
    ):
        inner = BASE.replace("return kernel", answer) + "def which():\n    return kernel\n"
        assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": inner}))] == []


def test_native_passes_may_reckon_with_shapes_in_numpy(tmp_path):
    honest = body("n = int(np.prod(x.shape)); s = x.shape[1:]; m = np.prod(s) + np.ceil(x.numel() / 4)")
    honest = honest.replace("import torch", "import numpy as np\nimport torch", 1)
    assert check_policy(passes(tmp_path, {"A.py": honest}), "native") == ()
    for trick in (
        "np.prod(x)",
        "np.prod(np.asarray(x))",
        "f = np.prod",
        "s = x.shape; s = x; np.prod(s)",
        "np.prod(*x)",
    ):
        text = body(trick).replace("import torch", "import numpy as np\nimport torch", 1)
        assert "reference" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": text}), "native")}, trick


def test_a_banned_name_in_the_body_of_a_class_is_the_builtin_until_it_is_bound(tmp_path):
    text = top("class K:\n    getattr(torch, 'os')\n    getattr = 1\n")
    assert "banned-name" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": text}))}


def test_unknown_level(tmp_path):
    with pytest.raises(UsageError, match="unknown policy level"):
        check_policy(passes(tmp_path, {"A.py": BASE}), "lax")


def test_computing_methods_are_tensors_and_of_nothing_else_that_a_pass_has():
    public = {name for name in dir(torch.Tensor) if not name.startswith("_")}
    assert public >= COMPUTING_METHODS
    assert not COMPUTING_METHODS & (TENSOR_METHODS | CONVERSIONS | OTHER_METHODS)
    assert public >= OTHER_METHODS
    listed = COMPUTING_METHODS | TENSOR_METHODS | CONVERSIONS | OTHER_METHODS
    assert {name for name in public if callable(getattr(torch.Tensor, name))} <= listed
    for kind in (str, bytes, list, tuple, dict, set, frozenset, int, float, slice, range):
        assert not COMPUTING_METHODS & set(dir(kind))


@pytest.mark.parametrize(
    "text",
    [
        top("class K:\n    def __init__(self, n):\n        self.n = n\n        self.m: int = n"),
        top("class K:\n    def __init__(self, n):\n        for each in range(n):\n            self.n = each"),
        top("class K:\n    def __call__(self, n):\n        def own():\n            self.n = n\n        own()"),
    ],
    ids=["when it is made", "in a loop", "in a function of the method"],
)
def test_a_method_that_python_calls_may_set_attributes_of_its_object(tmp_path, text):
    found = check_policy(passes(tmp_path, {"A.py": text}), "strict")
    assert [violation.rule for violation in found if violation.rule == "attribute-write"] == []


def test_what_native_would_admit_is_named(tmp_path):
    text = "import ctypes\nimport socket\n\ndef pattern(x):\n    return x + 1\n"
    text += "\ndef replacement_args(x):\n    return (x,)\n\ndef kernel(x):\n    return x\n"
    text += "\ndef replacement_func():\n    return kernel\n"
    (tmp_path / "one.py").write_text(text)
    (tmp_path / "sorted_output_pass_rule_names.json").write_text('["one"]')
    found = {v.what: v for v in check_policy(read_pass_set(tmp_path), "strict")}
    assert found["import of ctypes"].native and "--policy native admits it" in found["import of ctypes"].text()
    assert not found["import of socket"].native and "native" not in found["import of socket"].text()
    assert not any(v.native for v in check_policy(read_pass_set(tmp_path), "native"))
