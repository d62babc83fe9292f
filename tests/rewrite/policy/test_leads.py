"""Walks what the allow-lists let a pass hold: no way leads from there to a module, a namespace, a frame or a file."""

import ast
import builtins
import ctypes
import importlib.util
import pathlib
import re
import sys
import types
from collections.abc import Callable

import pytest
import torch

from passnet.graph.text import allowed
from passnet.rewrite import check_policy
from passnet.rewrite.policy.loading import ASKED, LEADS_OUT
from passnet.rewrite.policy.names import TORCH_NAMES, TRITON_LACKS
from passnet.rewrite.policy.pattern import function_recorded
from passnet.rewrite.policy.references import _MODULES, REFERENCES
from tests.rewrite.policy.test_check import passes, top

triton = pytest.importorskip("triton")

KERNEL = """
import triton
import triton.language as tl

SIZE = 4


@triton.jit
def plain(x, N: tl.constexpr):
    pass


@triton.autotune(configs=[triton.Config({"N": 2})], key=["x"])
@triton.heuristics({"N": lambda args: 2})
@triton.jit
def tuned(x, N: tl.constexpr):
    pass


@triton.constexpr_function
def folded(x):
    return x + SIZE
"""
# Objects that are always the compiler's own.
OWN = re.compile(r"self|super\(\)|self\.(prototype|caller_context|semantic)|language\.core|core|_?semantic|ir")
# Names by which Triton gives its compiler to what it calls.
COMPILERS = {"_semantic", "_generator", "_builder"}
NAMESPACE_KEYS = {"__builtins__", "__loader__", "__spec__"}


def leads_out(value: object) -> bool:
    if isinstance(value, dict):
        return bool(NAMESPACE_KEYS & value.keys())
    dangerous = (types.ModuleType, types.FrameType, types.CodeType, pathlib.PurePath, ctypes.CDLL, torch.UntypedStorage)
    return isinstance(value, dangerous) or type(value).__module__ == "numpy"


def ways(value: object, path: str, depth: int) -> list[str]:
    """Public attributes, items of containers and results of methods without arguments that lead out."""
    if leads_out(value):
        return [path]
    if depth == 0 or isinstance(value, (type, str, bytes, int, float, types.FunctionType, types.BuiltinFunctionType)):
        return []
    found = []
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        items = [*value.items()] if isinstance(value, dict) else [*value]
        return [way for item in items[:50] for way in ways(item, f"{path}[]", depth - 1)]
    for name in dir(value):
        if name.startswith("_") or name in LEADS_OUT or name in allowed.METHODS:
            continue
        try:
            attribute = getattr(value, name)
        except Exception:  # noqa: BLE001 - what cannot be read leads nowhere
            continue
        found += ways(attribute, f"{path}.{name}", depth - 1)
        if isinstance(attribute, types.MethodType) and _without_arguments(attribute):
            try:
                found += ways(attribute(), f"{path}.{name}()", depth - 1)
            except Exception:  # noqa: BLE001 - as above
                continue
    return found


def _without_arguments(method: Callable[..., object]) -> bool:
    code = getattr(method, "__code__", None)
    return code is not None and code.co_argcount == 1 and "write" not in code.co_name


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("kernels") / "leading_kernels.py"
    path.write_text(KERNEL)
    spec = importlib.util.spec_from_file_location("leading_kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["plain", "tuned", "folded"])
def test_nothing_public_of_a_kernel_leads_out(kernels, name):
    kernel = getattr(kernels, name)
    assert ways(kernel, name, 4) == []


def test_the_walk_sees_what_is_refused(kernels):
    assert leads_out(kernels.plain.get_capture_scope())
    assert ways([{"a": torch}], "x", 3) == ["x[][][]"]


def test_no_object_of_a_file_has_what_triton_hands_its_compiler_to():
    """Methods that Triton calls with its builder on what a kernel may have given it, and what it asks of kernels."""
    home, asked = pathlib.Path(triton.__path__[0]), {"signature", "arg_names", "get_capture_scope"}
    for path in (*(home / "language").rglob("*.py"), home / "compiler" / "code_generator.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                owner = ast.unparse(call.func.value)
                given = {ast.unparse(argument).rpartition(".")[2] for argument in call.args}
                named = COMPILERS & {keyword.arg for keyword in call.keywords}
                if (named or {"builder", "_builder"} & given) and not OWN.fullmatch(owner):
                    asked.add(call.func.attr)
    assert asked >= {"to_ir", "_flatten_ir_types", "load", "store"}
    assert asked - ASKED == {"to"}  # of a value that was seen to be a tensor


def test_no_module_has_pythons_builtins_under_a_name_that_a_pass_may_write():
    """Modules of libraries lead to each other, so that any that is loaded may be reached."""
    names = {
        name
        for module in [*sys.modules.values()]
        if isinstance(module, types.ModuleType)
        for name, value in vars(module).copy().items()
        if value is builtins and name.isidentifier() and not name.startswith("_")
    }
    assert names >= {"builtins", "bltns"}
    assert names <= _MODULES


@pytest.mark.parametrize(
    "value",
    [torch.ones(2), torch.ones(2).dtype, torch.ones(2).device, torch.ones(2).shape, torch.finfo(torch.float32)],
    ids=lambda value: type(value).__name__,
)
def test_nothing_public_of_what_a_wrapper_receives_leads_out(value):
    assert ways(value, "value", 3) == []


def test_names_that_triton_lacks_are_lacking():
    import triton.language as tl

    assert not TRITON_LACKS & {*dir(tl)}


def test_no_name_that_may_be_referred_to_is_a_module_or_a_function_of_python():
    import triton.language as tl
    import triton.language.extra.cuda
    import triton.language.extra.libdevice
    import triton.language.math as tl_math

    places = {
        "triton": triton,
        "triton.language": tl,
        "triton.language.math": tl_math,
        "triton.language.extra.cuda": triton.language.extra.cuda,
        "triton.language.extra.cuda.libdevice": triton.language.extra.cuda.libdevice,
        "triton.language.extra.libdevice": triton.language.extra.libdevice,
    }
    checked = 0
    for place, module in places.items():
        for name in dir(module):
            if REFERENCES["triton"].fullmatch(f"{place}.{name}"):
                value = getattr(module, name)
                checked += 1
                assert not isinstance(value, types.ModuleType), f"{place}.{name}"
                assert str(getattr(value, "__module__", "triton")).partition(".")[0] == "triton", f"{place}.{name}"
    assert checked > 300


def test_no_name_of_torch_that_a_pass_may_use_is_a_module():
    for dotted in TORCH_NAMES:
        value = torch
        for part in dotted.split(".")[1:]:
            value = getattr(value, part, None)
        assert not isinstance(value, types.ModuleType), dotted


def test_what_a_pattern_may_call_are_functions_of_tensors():
    called = [f"{place}.{name}" for place, names in allowed.FUNCTIONS.items() for name in names]
    recorded = [dotted for dotted in called if function_recorded(dotted)]
    assert len(recorded) > 1000
    for dotted in recorded:
        value = torch
        for part in dotted.split(".")[1:]:
            value = getattr(value, part, None)
        assert not isinstance(value, (types.ModuleType, type)) or dotted == "torch.Size", dotted


OF_A_PLAN = (
    "from typing import NamedTuple\nfrom collections import namedtuple\nTiles = namedtuple('Tiles', 'load store')\n"
    "class Plan(NamedTuple):\n    load: int\n    store: int\n"
    "class Buffer:\n    def __init__(self):\n        self.load = 1\n    def store(self):\n        return self.load\n"
)


def test_names_that_only_triton_asks_for_are_free_in_sets_without_it(tmp_path):
    files = {"A.py": top("from plans import Plan"), "plans.py": OF_A_PLAN}
    assert [v.text() for v in check_policy(passes(tmp_path, files))] == []
    for elsewhere in ("import triton", "def g():\n    from triton.language import load"):
        files["A.py"] = top(f"from plans import Plan\n{elsewhere}")
        found = [v for v in check_policy(passes(tmp_path, files)) if v.rule == "leads-out"]
        assert len(found) == 6 and {v.file for v in found} == {"plans.py"}


@pytest.mark.parametrize("name", ["handle", "lang", "builder", "semantic", "data_ptr", "numpy"])
def test_other_names_that_libraries_ask_for_stay_refused(tmp_path, name):
    text = top(f"class Plan:\n    {name} = 1\n")
    assert "leads-out" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": text}))}
