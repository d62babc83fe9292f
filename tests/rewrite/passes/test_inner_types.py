"""Types of inner functions are left out where they would run in each call, and nowhere else."""

import ast
from typing import Any

from passnet import authored
from passnet.rewrite.passes.inner_types import without_inner_types

TYPED = """
SEEN = []

def typed(name):
    SEEN.append(name)

def same(function):
    return function

def outer(x: typed("top")) -> typed("of all"):
    def inner(a: SEEN[-1], /, b: int | None = 2, *c: SEEN[0], d: SEEN[0] = 4, **e: SEEN[0]) -> SEEN[0]:
        def deeper(a: "text", b: SEEN.x): return a
        return deeper(a, b) + b
    @same
    def read(a: int): pass
    def binds(a: (len := 3)): pass
    return inner, read, binds, len

class Record:
    size: int

def made():
    class Inner:
        size: int
        def method(self, n: SEEN.x): return n
    return Inner
"""


def test_types_of_inner_functions_do_not_run_in_each_call() -> None:
    """`typing` keeps what it makes of them, which is a state that grows."""
    space: dict[str, Any] = {}
    tree = authored.parse_python(TYPED)
    before = ast.dump(tree)
    exec(authored.compiled(without_inner_types(tree), "a.py"), space)
    assert ast.dump(tree) == before
    assert space["SEEN"] == ["top", "of all"]
    space["SEEN"].clear()
    inner, read, binds, length = space["outer"](1)
    assert (inner.__annotations__, inner(1), inner(1, 5)) == ({}, 3, 6)
    assert read.__annotations__ == {"a": int} and (binds.__annotations__, length) == ({"a": 3}, 3)
    assert space["Record"].__annotations__ == {"size": int} == space["made"]().__annotations__
    assert space["made"]()().method(2) == 2
    assert list(space["outer"].__annotations__) == ["x", "return"]
