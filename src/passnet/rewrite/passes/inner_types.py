"""Leaves out types that would run in each call of a pass: those of functions that its functions make.

`typing` keeps what it makes of them, and a pass must not have a state that grows.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import TypeVar

_Node = TypeVar("_Node", bound=ast.AST)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What types are written in. Nothing of it binds a name, so no other name changes its meaning without it.
_IN_TYPES = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.UnaryOp,
    ast.USub, ast.Load,
)  # fmt: skip


def without_inner_types(tree: ast.Module) -> ast.Module:
    """The same tree without the types of plain functions inside functions. The given tree does not change.

    Functions with a decorator keep theirs, as do classes: Triton and `dataclass` read them.
    """
    return _stripped(tree, False)


def _stripped(node: _Node, inside: bool) -> _Node:
    fields: dict[str, object] = {}
    below = inside or isinstance(node, _DEFINITIONS)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            parts = [_stripped(part, below) if isinstance(part, ast.AST) else part for part in value]
            if any(part is not other for part, other in zip(parts, value, strict=True)):
                fields[name] = parts
    if inside and isinstance(node, _DEFINITIONS) and not node.decorator_list:
        fields |= {"args": _untyped(node.args), "returns": None if _is_type(node.returns) else node.returns}
    return _with(node, fields)


def _untyped(arguments: ast.arguments) -> ast.arguments:
    fields: dict[str, object] = {}
    for name, value in ast.iter_fields(arguments):
        if isinstance(value, list):
            fields[name] = [_without_type(part) if isinstance(part, ast.arg) else part for part in value]
        elif isinstance(value, ast.arg):
            fields[name] = _without_type(value)
    return _with(arguments, fields)


def _without_type(parameter: ast.arg) -> ast.arg:
    return _with(parameter, {"annotation": None}) if _is_type(parameter.annotation) else parameter


def _is_type(annotation: ast.expr | None) -> bool:
    return annotation is not None and all(isinstance(node, _IN_TYPES) for node in ast.walk(annotation))


def _with(node: _Node, fields: Mapping[str, object]) -> _Node:
    if not fields:
        return node
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
