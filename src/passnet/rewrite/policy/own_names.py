"""Gives private names of a file's own classes a form that no object of a library has, as Python does for two
underscores.

A method may be given any object as `self`, by its class. What it reads there by a private name is then nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator

from passnet.rewrite.policy.bindings import bindings, own_bindings, own_nodes

# No library has names that begin so. A test looks.
PREFIX = "_authors"
_METHODS_OWN = ("self", "cls")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def own_names(tree: ast.Module) -> frozenset[str]:
    """The names with one leading underscore that the file's classes bind, or that are written through `self`.

    None that the file binds in other ways too, nor any of a class that has a base from elsewhere: a library may ask for
    these.
    """
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    own = {name for made in classes for name in _bound_by(made)} | set(_written(tree))
    foreign = {name for made in _of_libraries(classes) for name in (*own_bindings(made.body), *_written(made))}
    found = frozenset(filter(_is_private, own - foreign))
    return found - bindings(tree.body).keys() - set(_bound_otherwise(classes)) if found else found


def asked_of_others(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The private names that files ask of other objects than `self`. Only a file that nobody checked does so."""
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return frozenset(node.attr for node in nodes if _is_private(node.attr) and not _is_own(node.value))


def with_own_names(tree: ast.Module, kept: frozenset[str] = frozenset()) -> ast.Module:
    """The tree with these names in their other form, but for those that are `kept`. The given tree does not change."""
    names = own_names(tree) - kept
    if not names:
        return tree
    changed = copy.deepcopy(tree)
    for node in ast.walk(changed):
        if isinstance(node, ast.Attribute) and node.attr in names and _is_own(node.value):
            node.attr = PREFIX + node.attr
        elif isinstance(node, ast.ClassDef):
            _rename(own_nodes(node.body), names & set(_bound_by(node)))
            _rename_slots(node, names)
    fields = names & set(_fields(changed))
    for node in ast.walk(changed):
        if isinstance(node, ast.keyword) and node.arg in fields:
            node.arg = f"{PREFIX}{node.arg}"
    return changed


def _rename_slots(made: ast.ClassDef, names: frozenset[str]) -> None:
    """`__slots__` has the names as texts."""
    for item in made.body:
        targets = item.targets if isinstance(item, ast.Assign) else [getattr(item, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__slots__" for target in targets):
            for text in ast.walk(item):
                if isinstance(text, ast.Constant) and text.value in names:
                    text.value = f"{PREFIX}{text.value}"


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in _METHODS_OWN


def _bound_by(made: ast.ClassDef) -> Iterator[str]:
    """What the body of a class binds, but for imports, errors and patterns."""
    for node in own_nodes(made.body):
        if isinstance(node, _DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def _bound_otherwise(classes: Iterable[ast.ClassDef]) -> Iterator[str]:
    for made in classes:
        yield from own_bindings(made.body).keys() - set(_bound_by(made))


def _written(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_own(node.value):
            yield node.attr


def _of_libraries(classes: Iterable[ast.ClassDef]) -> list[ast.ClassDef]:
    """The classes that have a base from elsewhere, or a base that has one."""
    classes = list(classes)
    own = {made.name for made in classes}
    while True:
        left = {
            made.name
            for made in classes
            if any(not isinstance(base, ast.Name) or base.id not in own | _PLAIN for base in made.bases)
        }
        if not left & own:
            return [made for made in classes if made.name not in own]
        own -= left


# Bases of Python that ask a class for nothing private.
_PLAIN = frozenset({"object", "Exception", "ValueError", "RuntimeError", "TypeError", "dict", "list", "tuple"})


def _rename(nodes: Iterable[ast.AST], names: frozenset[str]) -> None:
    for node in nodes:
        if isinstance(node, _DEFINITIONS) and node.name in names:
            node.name = PREFIX + node.name
        elif isinstance(node, ast.Name) and node.id in names:
            node.id = PREFIX + node.id


def _fields(tree: ast.Module) -> Iterator[str]:
    """Names with a type in the body of a class, which a dataclass takes as keywords, and no function has as its own."""
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    typed = (item for made in classes for item in made.body if isinstance(item, ast.AnnAssign))
    own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for item in typed:
        if isinstance(item.target, ast.Name):
            name = item.target.id.removeprefix(PREFIX)
            if name not in own:
                yield name
