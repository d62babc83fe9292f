"""Private names of a file's own classes: the file reads what it wrote, and a library's object has none of them."""

import ast
import sys

import pytest
import torch
import triton.language as tl

from passnet.rewrite.policy.own_names import PREFIX, asked_of_others, own_names, with_own_names

OWN = """
from dataclasses import dataclass

@dataclass
class Plan:
    _rows: int
    _width: int = 3

    def size(self):
        return self._rows * self._width

class Base:
    _start = 2
    _twice = _start * 2
    def _grow(self, by):
        _by = by + self._start
        self._last = _by
        return _by
    @classmethod
    def _make(cls):
        made = cls()
        return made
    class _Inner:
        value = 7

class Kernel(Base):
    def run(self):
        return (self._grow(1), self._last, self._twice, self._Inner.value, type(self._make()).__name__)

class Pair:
    __slots__ = ("_left", "right")
    def __init__(self):
        self._left, self.right = 1, 2
    def sum(self):
        return self._left + self.right

RESULT = (Plan(_rows=4).size(), Plan(5, _width=2).size(), Kernel().run(), Pair().sum())
"""


def ran(tree):
    names = {"__name__": "ran"}
    sys.modules["ran"] = type(sys)("ran")
    try:
        exec(compile(tree, "ran", "exec"), names)
    finally:
        del sys.modules["ran"]
    return names


def test_a_file_reads_what_it_wrote():
    tree = ast.parse(OWN)
    before = ast.dump(tree)
    assert own_names(tree) == {"_rows", "_width", "_start", "_twice", "_grow", "_last", "_make", "_Inner", "_left"}
    names = ran(with_own_names(tree))
    assert names["RESULT"] == ran(tree)["RESULT"] == (12, 10, (3, 3, 4, 7, "Kernel"), 3)
    assert ast.dump(tree) == before
    assert sorted(vars(names["Base"]))[-1] != "_start"
    assert f"{PREFIX}_start" in vars(names["Base"])


OTHERS = {
    "of_the_file": "_n = 1\nclass K:\n    _n = _n + 1\n    def f(self): return self._n",
    "of_a_library": "import ctypes\nclass K(ctypes.Union):\n    _fields_ = []\n    def f(self): return self._fields_",
    "of_a_child": "class A(list[int]): pass\nclass B(A):\n    _n = 1\n    def f(self): return self._n",
    "imported": "class K:\n    import math as _m\n    def f(self): return self._m",
    "read_only": "class K:\n    def f(self): return self._n",
    "two_underscores": "class K:\n    __n = 1\n    def f(self): return self.__n",
    "one_underscore": "class K:\n    _ = 1\n    def f(self): return self._",
}


@pytest.mark.parametrize("case", OTHERS, ids=str)
def test_other_names_stay(case):
    tree = ast.parse(OTHERS[case])
    assert own_names(tree) == frozenset()
    assert with_own_names(tree) is tree


def test_what_an_unchecked_file_asks_of_other_objects_stays():
    tree = ast.parse("class K:\n    _n = 1\n    def same(self, other): return self._n == other._n")
    kept = asked_of_others([tree])
    assert kept == {"_n"}
    assert with_own_names(tree, kept) is tree


def test_a_local_name_of_a_function_around_a_class_stays():
    text = (
        "class A:\n    _n = 1\n    def f(self): return self._n\n"
        "def made():\n    _n = 5\n    class B:\n        m = _n\n    return B.m\nRESULT = (A().f(), made())"
    )
    assert ran(with_own_names(ast.parse(text)))["RESULT"] == (1, 5)


READS = """
class Reader:
    _convert_ = None
    _member_map_ = None
    def read(self): return self._convert_
    def members(self): return self._member_map_
"""


def test_a_method_that_is_given_an_object_of_a_library_finds_nothing():
    reader = ran(ast.parse(READS))["Reader"]
    assert callable(reader.read(tl.PropagateNan))
    changed = ran(with_own_names(ast.parse(READS)))["Reader"]
    assert changed.read(changed()) is None
    for method in (changed.read, changed.members):
        with pytest.raises(AttributeError, match=PREFIX):
            method(tl.PropagateNan)


def test_no_library_has_names_that_begin_so():
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in ("torch", "triton")]
    kinds = [value for module in modules for value in list(vars(module).values()) if isinstance(value, type)]
    assert len(kinds) > 1000
    named = {name for kind in kinds for name in vars(kind)} | set(dir(torch.Tensor)) | set(dir(str))
    assert not [name for name in named if name.startswith(PREFIX)]
