"""Triton's compiler meets numbers, texts, types and kernels of a pass, and no object of its author."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from passnet.errors import InfrastructureError
from passnet.kernels.policy.breach import KernelPolicyError
from passnet.kernels.policy.triton_values import triton_meets_plain_values
from passnet.kernels.triton_check import compile_launches
from passnet.rewrite.rules.kept_memory import PACKAGE_PREFIX
from tests.kernels.kernel_marks import needs_triton

pytestmark = needs_triton

_TEXT = """
import math
import sys
import typing
from collections import namedtuple

import torch
import triton
import triton.language as tl

RAN = []
own = sys.modules[__name__]


class Box:
    def __init__(self):
        self.inner = self

    def load(self, offsets, _semantic=None):
        RAN.append(_semantic)
        return 0

    def __call__(self, *args):
        RAN.append(args)
        return 0

    def __eq__(self, other):
        RAN.append(other)
        return False

    def __hash__(self):
        return 1

    def __add__(self, other):
        RAN.append(other)
        return 0

    def to_ir(self, builder):
        RAN.append(builder)


class Number(int):
    def load(self, offsets, _semantic=None):
        RAN.append(_semantic)
        return 0


class Unrolled(typing.NamedTuple):
    first: object

    def __iter__(self):
        RAN.append(self.first)
        return iter(())


class Sizes(typing.NamedTuple):
    rows: int
    columns: int = 2


def load(*args, _semantic=None):
    RAN.append(_semantic)
    return 0


Pair = namedtuple("Pair", ["first", "second"])
BOX = tl.constexpr(Box())
pointer = tl.pointer_type(tl.float32)
pointer.element_ty = Box()
POINTER = tl.constexpr(pointer)
PI = tl.constexpr(math.pi)
NAMES = tl.constexpr(("a", ("b", 2.0)))
TYPE = tl.constexpr(tl.float32)
HELD = []
KEPT = tl.constexpr((1, HELD))


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def twice(a, N: tl.constexpr = 2):
    return a * N, a + N


@triton.jit
def boxed(a, B=Box()):
    return a + B.inner


@triton.jit
def boxes(a, B=HELD):
    return a


@triton.jit
def changed(a, b):
    return a + b


changed.load = load


@triton.jit
def kernel(x, out, C: tl.constexpr):
    at = tl.arange(0, 64)
    v = tl.load(x + at)
    BODY
    tl.store(out + at, v)
"""
_counter = itertools.count()


def _module(tmp_path: Path, body: str) -> ModuleType:
    name = f"{PACKAGE_PREFIX}values_{next(_counter)}"
    path = tmp_path / f"{name}.py"
    path.write_text(_TEXT.replace("BODY", body.replace("\n", "\n    ")))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    triton_meets_plain_values(PACKAGE_PREFIX)
    return module


def _compiled(module: ModuleType, given: str) -> int:
    x, constant = torch.ones(64), eval(given, vars(module))
    return len(compile_launches(lambda: module.kernel[(1,)](x, torch.empty(64), constant)))


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ("2", "v = (v + C) * PI + min(C, 3) + max(v, 0.5) + len(NAMES) + int(2.5) + math.pi"),
        ("'gelu'", "if C == 'gelu' and C.upper() == 'GELU':\n    v = -v"),
        ("(2, (3, 4.0))", "v += C[0] + C[1][0]"),
        ("torch.float16", "v += 1"),
        ("tl.float16", "v = v.to(C).to(TYPE)\nif x.dtype.element_ty == tl.float32:\n    v += v.shape[0]"),
        ("add", "v = C(v, 1.0)"),
        ("Pair(1, 2)", "v += C.first + C[1]"),
        ("Sizes(1)", "v += C.rows + C.columns"),
        ("None", "if C is None:\n    a, b = twice(v)\n    p = Pair(a, b)\n    v = p.first + p.second"),
        ("torch.ones(2, 3).shape", "v += C[0]"),
        ("1", "v = tl.reduce(v, 0, add) + tl.associative_scan(v, 0, add) + tl.sort(v) + tl.softmax(v)"),
        ("1", "v = tl.maximum(v, 0.0, propagate_nan=tl.PropagateNan.ALL) + own.PI + own.add(v, v)"),
        ("1", "for i in tl.static_range(2):\n    v += i\nfor j in range(0, 4):\n    v += j"),
        ("1", "q = tl.reshape(v, [4, 16])\nv = tl.reshape(q.T, [64]) + tl.sum(q) + triton.cdiv(64, 3)"),
        ("1", "tl.device_assert(v > 0, f'text {C}')\ntl.static_assert(C == 1, 'other')"),
    ],
)
def test_honest_values_compile(tmp_path: Path, given: str, body: str) -> None:
    assert _compiled(_module(tmp_path, body), given) == 1


_DESCRIPTOR = "tl.load_tensor_descriptor({}, [0])"


@pytest.mark.parametrize(
    ("given", "body", "message"),
    [
        ("Box()", _DESCRIPTOR.format("C.inner"), "argument C is of class Box"),
        ("(1, (Box(),))", "v += 1", "argument C is of class Box"),
        ("Number(3)", "v += C", "argument C is of class Number"),
        ("load", "C(v)", "argument C is a function that is no kernel"),
        ("max", "v = C(v, v)", "argument C is a function that is no kernel"),
        ("Box().load", "C(v)", "argument C is a function that is no kernel"),
        ("tl.constexpr(Box())", "v += 1", "argument C is of class Box"),
        ("changed", "v = C(v, v)", "argument C is a kernel with attributes of an author"),
        ("Box", "v += 1", "argument C is a class"),
        ("1", "C2 = BOX.inner", "BOX is of class Box|no attribute 'inner'"),
        ("1", "v = BOX + v", "BOX is of class Box"),
        ("1", "v = v.to(POINTER)", "POINTER is of class Box"),
        ("1", "p = Unrolled(v)", "Unrolled is a class"),
        ("1", "own.load(v)", "own.load is a function that is no kernel|Unsupported function"),
        ("1", "v = boxed(v)", "boxed is of class Box"),
        ("1", _DESCRIPTOR.format("own"), "own is a module"),
        ("1", _DESCRIPTOR.format("changed"), "changed is a kernel with attributes of an author"),
        ("1", "v = v + torch.ones(2)", "torch.ones is a function that is no kernel|Unsupported function"),
        ("1", "h = v.handle", "v.handle is of class value"),
        ("1", "KEPT.value[1].append(v)", "KEPT has a list, which can change"),
        ("1", "own.HELD.append(v)", "own.HELD has a list, which can change|Unsupported function"),
        ("[1, 2]", "v += C[0]", "argument C has a list, which can change|unhashable"),
        ("1", "v = boxes(v)", "boxes has a list, which can change"),
        ("'{0.handle}'", "t = C.format(v)", "C.format is a function that is no kernel"),
    ],
)
def test_no_object_of_an_author_meets_the_compiler(tmp_path: Path, given: str, body: str, message: str) -> None:
    module = _module(tmp_path, body)
    with pytest.raises(Exception, match=message) as raised:  # some releases of Triton refuse one first
        _compiled(module, given)
    assert isinstance(raised.value, KernelPolicyError) or "|" in message
    assert module.RAN == []


def test_no_value_of_an_earlier_compilation_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was freed with it. A kernel of the user's own module, which nobody looks at, gives one away here."""
    path = tmp_path / "gives_a_value_away.py"
    path.write_text(_TEXT.replace("BODY", "C(v)"))
    monkeypatch.syspath_prepend(str(tmp_path))
    other, module = importlib.import_module("gives_a_value_away"), _module(tmp_path, "v += own.OLD[0]")
    with contextlib.suppress(Exception):  # what the call gives back is of no use to Triton
        _compiled(other, "Box()")
    module.OLD = next((args[0],) for args in other.RAN if isinstance(args, tuple) and args)
    with pytest.raises(KernelPolicyError, match=r"own.OLD is a value of another compilation"):
        _compiled(module, "1")


def test_kernels_of_the_users_own_modules_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kernels_of_a_user.py"
    path.write_text(_TEXT.replace("BODY", "v += C.inner.value").replace("self.inner = self", "self.inner = Sizes(1)"))
    path.write_text(path.read_text().replace("C.inner.value", "C.inner.rows"))
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("kernels_of_a_user")
    triton_meets_plain_values(PACKAGE_PREFIX)
    assert _compiled(module, "Box()") == 1


@pytest.mark.parametrize("lost", ["visit", "call_Function"])
def test_a_release_that_compiles_in_another_way_is_refused(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from triton.compiler import code_generator

    other = type("Other", (), {"visit": 1, "call_Function": 2})
    delattr(other, lost)
    monkeypatch.setattr(code_generator, "ast_to_ttir", lambda: None)
    monkeypatch.setattr(code_generator, "CodeGenerator", other)
    with pytest.raises(InfrastructureError, match=r"cannot bound.*triton>=3.5"):
        triton_meets_plain_values(PACKAGE_PREFIX)
