"""Private names of a file's own classes: the file reads what it wrote, and a library's object has none of them."""

import ast
import builtins
import json
import sys

import pytest
import torch
import triton.language as tl

from passnet.rewrite import check_policy, read_pass_set
from passnet.rewrite.policy.own_names import PREFIX, asked_of_others, own_names, with_own_names
from passnet.rewrite.rules.load import load_rules

OWN = """
from dataclasses import dataclass

@dataclass
class Plan:
    rows: int
    width: int = 3
    _scale = 1

    def size(self):
        return self._product() * self._scale

    def _product(self):
        return self.rows * self.width

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

RESULT = (Plan(rows=4).size(), Plan(5, width=2).size(), Kernel().run(), Pair().sum())
"""


def ran(tree):
    names = {"__name__": "ran", "__builtins__": vars(builtins)}
    sys.modules["ran"] = type(sys)("ran")
    try:
        exec(compile(tree, "ran", "exec"), names)
    finally:
        del sys.modules["ran"]
    return names


def test_a_file_reads_what_it_wrote():
    tree = ast.parse(OWN)
    before = ast.dump(tree)
    assert own_names(tree) == {"_scale", "_product", "_start", "_twice", "_grow", "_last", "_make", "_Inner", "_left"}
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


FIELDS = """
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple, final

@final
@dataclass(slots=True)
class Plan:
    _rows: int
    _tiles: tuple = field(default_factory=tuple)
    _: KW_ONLY
    if True:
        _width: int = 3
    _calls = 0
    def size(self):
        return (self._rows, self._tiles, self._width, self._calls)

@dataclass
class Deep(Plan):
    depth: int = 1

RESULT = (Plan(_rows=4).size(), Plan(**{"_rows": 4, "_width": 5}).size(), Deep(_rows=1, depth=2, _width=7).size())
"""


def test_fields_keep_their_names():
    """`dataclass` names parameters as its fields, and no code but an author's is changed."""
    tree = ast.parse(FIELDS)
    assert own_names(tree) == {"_calls"}
    names = ran(with_own_names(tree))
    assert names["RESULT"] == ran(tree)["RESULT"] == ((4, (), 3, 0), (4, (), 5, 0), (1, (), 7, 0))


CELLS = """
import typing

def made():
    a, b = 1, 2
    @typing.final
    class Plan:
        _kept = 0
        if True:
            def __init__(self, %s):
                size = lambda: %s
                self.read = (a, b, size())
    return Plan
"""


def test_no_code_of_an_author_changes():
    """A name of a parameter that is a cell too decides which free variable an instruction reads."""
    text = CELLS.replace("%s", f"{PREFIX}_size")
    assert ran(with_own_names(ast.parse(text)))["made"]()(3).read == (1, 2, 3)


def test_a_text_names_an_attribute_of_the_object_itself():
    text = (
        "class A:\n    def __call__(self):\n        if not hasattr(self, '_n'): self._n = 0\n"
        "        self._n += 1\n        return getattr(self, '_n')\na = A()\nRESULT = (a(), a())"
    )
    assert ran(with_own_names(ast.parse(text)))["RESULT"] == (1, 2)


OF_OTHERS = {
    "attribute": "def f(x): return x._n",
    "text": "def f(x): return hasattr(x, '_n')",
    "pattern": "def f(x):\n    match x:\n        case K(_n=1): return 1",
}


@pytest.mark.parametrize("case", OF_OTHERS, ids=str)
def test_no_name_that_a_file_asks_of_others_is_its_own(case):
    assert asked_of_others([ast.parse(OF_OTHERS[case])]) == {"_n"}


def test_a_comprehension_does_not_see_the_names_of_a_class():
    text = (
        "class A:\n    _n = 1\n    _i = 2\n    _m = [_i for _i in range(_n)]\n"
        "    z = [[_n for _n in (_k, 8)] for _k in _m]\n    def f(self): return self._n, self._i, self._m, self.z\n"
        "def made():\n    _n = 5\n    class B:\n        _n = 2\n        y = [_n for _ in range(_n)]\n"
        "        w = (lambda _i=_n: (_i, _n))()\n    return B.y, B.w\nRESULT = (A().f(), made())"
    )
    tree = ast.parse(text)
    assert own_names(tree) == {"_n", "_i", "_m"}
    assert ran(with_own_names(tree))["RESULT"] == ran(tree)["RESULT"] == ((1, 2, [0], [[0, 8]]), ([5, 5], (2, 5)))


def loaded(files, directory):
    """What is refused of a set of these files, or the rules that were not loaded."""
    for name, text in files.items():
        (directory / name).write_text(text)
    (directory / "sorted_output_pass_rule_names.json").write_text(json.dumps(["rule"]))
    found = read_pass_set(directory)
    return [breach.text() for breach in check_policy(found)] or list(map(str, load_rules(found, "cpu").failed))


RULE = """
def pattern(x):
    return torch.relu(x)
def replacement_args(x):
    return (x,)
@torch.fx.wrap
def run(x):
    return torch.empty_like(x)
def replacement_func():
    return run
"""
PLAN = "class Plan:\n    def __init__(self, _n): self._n = _n\n    def n(self): return self._n\n"


FIELD = "from dataclasses import dataclass\n@dataclass\nclass Plan:\n    _n: int = 1\n    def n(self): return self._n\n"


def test_a_field_of_a_dataclass_is_public(tmp_path):
    found = loaded({"rule.py": f"import torch\n{FIELD}{RULE}"}, tmp_path)
    assert len(found) == 1
    assert "self._n, a field of a dataclass (private:" in found[0]
    assert "give the field a name without an underscore" in found[0]
    assert loaded({"rule.py": f"import torch\n{FIELD.replace('_n', 'n')}{RULE}"}, tmp_path) == []


WRITTEN = {
    "parameter": "def f({0}): return 1",
    "attribute": "class K:\n    def f(self): return self.{0}",
    "text": "class K:\n    __slots__ = ('{0}',)",
    "pattern": "def f(x):\n    match x:\n        case {0}: return 1",
}


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_no_text_has_names_of_the_form_that_own_names_get(case, tmp_path):
    rule = f"import torch\n{WRITTEN[case].format(PREFIX + '_size')}\n{RULE}"
    assert [f"name {PREFIX}_size (private:" in line for line in loaded({"rule.py": rule}, tmp_path)].count(True) == 1


def test_a_deep_file_may_have_names_of_its_own(tmp_path):
    chosen = "".join(f"    elif n == {i}: return {i}\n" for i in range(1, 190))
    rule = f"import torch\n{PLAN}\ndef f(n):\n    if n == 0: return 0\n{chosen}assert f(Plan(_n=7).n()) == 7\n{RULE}"
    assert loaded({"rule.py": rule}, tmp_path) == []


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
