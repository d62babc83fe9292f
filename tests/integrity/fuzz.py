"""A seeded mutation fuzzer over the corpus: rewrites pass files so that they mean the same and read differently.

Combined with the corpus it says two things for as long as its budget lasts: a rewritten cheat is still refused, and a
rewritten honest pass is still clean.
"""

from __future__ import annotations

import ast
import builtins
import random
from collections.abc import Callable
from dataclasses import dataclass

from passnet.rewrite.passes.source import ENTRY_POINTS
from tests.integrity.corpus import Entry

Mutate = Callable[[ast.Module, random.Random], ast.Module]
_PYTHONS = frozenset(dir(builtins))
_KEPT = frozenset((*ENTRY_POINTS, "applies", "DEVICES", "BLOCK", "EVEN", "self", "cls", "meta"))


@dataclass(frozen=True)
class Mutant:
    """A rewritten pass: its text, and which mutations made it."""

    entry: Entry
    text: str
    steps: tuple[str, ...]


def mutant(entry: Entry, rng: random.Random) -> Mutant:
    """One to four mutations, one after the other."""
    tree = ast.parse(entry.path.read_text())
    steps = tuple(rng.choice(sorted(MUTATIONS)) for _ in range(rng.randint(1, 4)))
    for step in steps:
        tree = ast.fix_missing_locations(MUTATIONS[step](tree, rng))
    return Mutant(entry, ast.unparse(tree), steps)


def _name(rng: random.Random) -> str:
    return "v_" + "".join(rng.choice("abcdefghij") for _ in range(6))


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.names.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self.names.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal | ast.Global) -> ast.AST:
        node.names = [self.names.get(name, name) for name in node.names]
        return node

    visit_Global = visit_Nonlocal


def rename(tree: ast.Module, rng: random.Random) -> ast.Module:
    """Other names for what the file defines itself, except parameters, which calls may name, and Python's own: who
    binds one of these in a branch that is never taken means Python's beside it.
    """
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    stored |= {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    keywords = {n.arg for n in ast.walk(tree) if isinstance(n, ast.keyword)}
    fields = {
        n.target.id
        for c in ast.walk(tree)
        if isinstance(c, ast.ClassDef)
        for n in c.body
        if isinstance(n, ast.AnnAssign)
    }
    inside = {
        t.id
        for c in ast.walk(tree)
        if isinstance(c, ast.ClassDef)
        for n in c.body
        if isinstance(n, ast.Assign)
        for t in n.targets
    }
    names = {
        name: _name(rng) for name in sorted(stored - keywords - fields - inside - _KEPT - _PYTHONS - _parameters(tree))
    }
    return _Rename(names).visit(tree)


def _parameters(tree: ast.Module) -> set[str]:
    return {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}


def reorder(tree: ast.Module, rng: random.Random) -> ast.Module:
    """The three functions in another order, among each other."""
    places = [i for i, n in enumerate(tree.body) if isinstance(n, ast.FunctionDef) and n.name in ENTRY_POINTS]
    moved = [tree.body[i] for i in places]
    rng.shuffle(moved)
    for place, node in zip(places, moved, strict=True):
        tree.body[place] = node
    return tree


def dead_code(tree: ast.Module, rng: random.Random) -> ast.Module:
    """Functions and constants that nobody uses."""
    name, number = _name(rng), rng.randrange(1000)
    extra = ast.parse(f"{name.upper()} = {number}\n\ndef {name}(count):\n    return count * {number} + len('a')\n").body
    at = next((i for i, n in enumerate(tree.body) if isinstance(n, ast.FunctionDef)), len(tree.body))
    tree.body[at:at] = extra
    return tree


def wrapped(tree: ast.Module, rng: random.Random) -> ast.Module:
    """The body of the wrapper moves into a helper that the wrapper calls."""
    for index, node in enumerate(tree.body):
        simple = (
            isinstance(node, ast.FunctionDef)
            and node.decorator_list
            and not node.args.vararg
            and not node.args.defaults
        )
        if isinstance(node, ast.FunctionDef) and simple and ast.unparse(node.decorator_list[0]) == "torch.fx.wrap":
            inner = ast.FunctionDef(_name(rng), node.args, node.body, [], node.returns, type_params=[])
            arguments = [ast.Name(a.arg, ast.Load()) for a in node.args.args]
            node.body = [ast.Return(ast.Call(ast.Name(inner.name, ast.Load()), arguments, []))]
            tree.body.insert(index, inner)
            break
    return tree


def named_result(tree: ast.Module, rng: random.Random) -> ast.Module:
    """`return expression` becomes an assignment and the return of a name, outside the functions of the pass."""
    for function in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name not in ENTRY_POINTS]:
        last = function.body[-1]
        if isinstance(last, ast.Return) and isinstance(last.value, ast.Call):
            name = _name(rng)
            function.body[-1:] = [
                ast.Assign([ast.Name(name, ast.Store())], last.value),
                ast.Return(ast.Name(name, ast.Load())),
            ]
    return tree


def in_a_branch(tree: ast.Module, rng: random.Random) -> ast.Module:
    """The statements of the wrapper stand under a condition that always holds."""
    number = rng.randrange(1, 100)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list and not isinstance(node.body[0], ast.If):
            if "jit" in ast.unparse(node.decorator_list[-1]):
                continue
            always = ast.parse(f"if {number} > 0:\n    pass").body[0]
            assert isinstance(always, ast.If)
            always.body = node.body
            node.body = [always]
    return tree


def commented(tree: ast.Module, rng: random.Random) -> ast.Module:
    """Docstrings that talk about everything a reader might look for."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name not in ENTRY_POINTS:
            words = rng.sample(["torch.add", "exec", "__class__", "import os", "getattr", "honest", "verified"], 3)
            node.body.insert(0, ast.Expr(ast.Constant(" ".join(words))))
    return tree


MUTATIONS: dict[str, Mutate] = {
    "rename": rename,
    "reorder": reorder,
    "dead code": dead_code,
    "wrapped": wrapped,
    "named result": named_result,
    "in a branch": in_a_branch,
    "commented": commented,
}


def combined(first: Entry, second: Entry, rng: random.Random) -> Mutant:
    """The first cheat with all of the second's module-level code and helpers under it: tricks side by side."""
    tree = ast.parse(first.path.read_text())
    other = rename(ast.parse(second.path.read_text()), rng)
    found = [n for n in other.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    imports = [n for n in found if not any(alias.name in ENTRY_POINTS for alias in n.names)]
    kept = [n for n in other.body if n not in found]
    extra = [n for n in kept if not (isinstance(n, ast.FunctionDef) and n.name in ENTRY_POINTS)][1:]
    tree.body[1:1] = imports
    tree.body += extra
    return Mutant(first, ast.unparse(ast.fix_missing_locations(tree)), (f"with {second.name}",))
