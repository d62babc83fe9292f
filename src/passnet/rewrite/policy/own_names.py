"""Gives private names of a file's own classes a form that no object of a library has, as Python does for two
underscores.

A method may be given any object as `self`, by its class. What it reads there by a private name is then nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from passnet.rewrite.policy.bindings import bindings, own_bindings, own_nodes

# No library has names that begin so. A test looks.
PREFIX = "_authors"
_METHODS_OWN = ("self", "cls")
_BY_TEXT = frozenset({"hasattr", "getattr", "setattr", "delattr"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_Node = TypeVar("_Node", bound=ast.AST)


def own_names(tree: ast.Module) -> frozenset[str]:
    """The names with one leading underscore that the file's classes bind, or that are written through `self`.

    None that the file binds in other ways too, nor any of a class that has a base from elsewhere: a library may ask for
    these. Nor fields of a decorated class: `dataclass` names parameters as its fields.
    """
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    own = {name for made in classes for name in _bound_by(made)} | set(_written(tree))
    libraries = _of_libraries(classes)
    foreign = {name for made in libraries for name in own_bindings(made.body)} | set(_written(tree, libraries))
    found = frozenset(filter(_is_private, own - foreign - private_fields(classes)))
    return found - bindings(tree.body).keys() - set(_bound_otherwise(classes)) if found else found


def private_fields(classes: Iterable[ast.ClassDef]) -> frozenset[str]:
    """The private names that decorated classes give a type, as `dataclass` wants its fields."""
    typed = (node for made in classes if made.decorator_list for node in _own_nodes(made))
    names = (node.target.id for node in typed if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name))
    return frozenset(filter(_is_private, names))


def asked_of_others(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The private names that files ask of other objects than `self`. Only a file that nobody checked does so."""
    return frozenset(name for tree in trees for node in ast.walk(tree) for name in _asked(node) if _is_private(name))


def _asked(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.Attribute):
        return () if _is_own(node.value) else (node.attr,)
    if isinstance(node, ast.MatchClass):
        return node.kwd_attrs
    text = _text_of_attribute(node, own=False)
    return () if text is None else (str(text.value),)


def _text_of_attribute(node: ast.AST, *, own: bool) -> ast.Constant | None:
    """The text in `hasattr(object, "text")` and its like. `own`: whether the object is the method's own."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in _BY_TEXT:
        return None
    asked, text, *_ = (*node.args, None, None)
    named = isinstance(text, ast.Constant) and isinstance(text.value, str)
    return text if named and asked is not None and _is_own(asked) == own else None


def with_own_names(tree: ast.Module, kept: frozenset[str] = frozenset()) -> ast.Module:
    """The tree with these names in their other form, but for those that are `kept`. The given tree does not change."""
    names = own_names(tree) - kept
    if not names:
        return tree
    changed = _copied(tree)
    for node in ast.walk(changed):
        if isinstance(node, ast.Attribute) and node.attr in names and _is_own(node.value):
            node.attr = PREFIX + node.attr
        elif (text := _text_of_attribute(node, own=True)) is not None and text.value in names:
            text.value = f"{PREFIX}{text.value}"
        elif isinstance(node, ast.ClassDef):
            _rename(_own_nodes(node), names & set(_bound_by(node)))
            _rename_slots(node, names)
    return changed


def _copied(tree: _Node) -> _Node:
    """A copy of all nodes, without recursion: `deepcopy` takes six frames for each level of a tree."""
    changed = copy.copy(tree)
    pending: list[ast.AST] = [changed]
    while pending:
        node = pending.pop()
        for name, value in ast.iter_fields(node):
            parts = [copy.copy(part) for part in (value if isinstance(value, list) else [value])]
            setattr(node, name, parts if isinstance(value, list) else parts[0])
            pending += [part for part in parts if isinstance(part, ast.AST)]
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


def _own_nodes(made: ast.ClassDef) -> Iterator[ast.AST]:
    """The nodes that look names up in the body of a class. A comprehension inside does not see them."""
    return own_nodes(made.body, comprehensions=False)


def _bound_by(made: ast.ClassDef) -> Iterator[str]:
    """What the body of a class binds, but for imports, errors and patterns."""
    for node in _own_nodes(made):
        if isinstance(node, _DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def _bound_otherwise(classes: Iterable[ast.ClassDef]) -> Iterator[str]:
    for made in classes:
        yield from own_bindings(made.body, comprehensions=False).keys() - set(_bound_by(made))


def _written(tree: ast.Module, inside: Collection[ast.AST] | None = None) -> Iterator[str]:
    """The attributes of `self` that a file writes, or those that it writes inside some of its nodes."""
    pending: list[tuple[ast.AST, bool]] = [(tree, inside is None)]
    while pending:
        node, counts = pending.pop()
        counts = counts or node in (inside or ())
        if counts and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_own(node.value):
            yield node.attr
        pending += ((child, counts) for child in ast.iter_child_nodes(node))


def _of_libraries(classes: Collection[ast.ClassDef]) -> frozenset[ast.ClassDef]:
    """The classes that have a base from elsewhere, or a base that has one."""
    known = {made.name for made in classes} | _PLAIN
    children: dict[str, list[str]] = {}
    pending: list[str] = []
    for made in classes:
        for base in made.bases:
            if isinstance(base, ast.Name) and base.id in known:
                children.setdefault(base.id, []).append(made.name)
            else:
                pending.append(made.name)
    foreign: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in foreign:
            foreign.add(name)
            pending += children.get(name, ())
    return frozenset(made for made in classes if made.name in foreign)


# Bases of Python that ask a class for nothing private.
_PLAIN = frozenset({"object", "Exception", "ValueError", "RuntimeError", "TypeError", "dict", "list", "tuple"})


def _rename(nodes: Iterable[ast.AST], names: frozenset[str]) -> None:
    for node in nodes:
        if isinstance(node, _DEFINITIONS) and node.name in names:
            node.name = PREFIX + node.name
        elif isinstance(node, ast.Name) and node.id in names:
            node.id = PREFIX + node.id
