"""Checks `replacement_args` and `replacement_func`: they pass on matched values and name the wrapper, no more."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from passnet.authored import expression_text
from passnet.rewrite.canonical import op_tables
from passnet.rewrite.policy.names import TORCH_NAMES, Level
from passnet.rewrite.policy.pattern import is_literal
from passnet.rewrite.policy.view import FileView

Hits = Iterator[tuple[ast.AST, str]]

_ARGUMENT_NODES = (
    ast.Return, ast.Assign, ast.Tuple, ast.List, ast.Name, ast.Constant, ast.Starred, ast.Load, ast.Store, ast.Pass,
    ast.UnaryOp, ast.USub,
)  # fmt: skip


def computed_arguments(view: FileView, level: Level) -> Hits:
    """Everything in `replacement_args` beyond returning arguments, constants and sizes."""
    for function in view.defined("replacement_args"):
        for statement in function.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                yield from _computing(statement, view)


def _computing(node: ast.AST, view: FileView) -> Hits:
    if is_literal(node):
        return
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and node.func.attr in op_tables.META_METHODS
        constructor = isinstance(node.func, ast.Name) and node.func.id in ("tuple", "list")
        if not (method or constructor):
            yield node, expression_text(node)
    elif isinstance(node, ast.Attribute):
        dotted = view.dotted(node)
        if node.attr not in op_tables.META_ATTRIBUTES and dotted not in TORCH_NAMES:
            yield node, expression_text(node)
    elif isinstance(node, ast.Subscript):
        if not isinstance(node.ctx, ast.Load):
            yield node, expression_text(node)
        yield from _computing(node.value, view)
    elif not isinstance(node, _ARGUMENT_NODES):
        yield node, expression_text(node)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _computing(child, view)


def returned_wrapper(view: FileView, level: Level) -> Hits:
    """Everything in `replacement_func` beyond naming the wrapper, or defining and naming it."""
    asked: dict[str, bool] = {}
    for function in view.defined("replacement_func"):
        for statement in function.body:
            if not _names_wrapper(statement, view, asked):
                yield statement, expression_text(statement).splitlines()[0]


def _names_wrapper(statement: ast.stmt, view: FileView, asked: dict[str, bool]) -> bool:
    """Whether a statement of `replacement_func` only says which function is the wrapper.

    It may define the wrapper there, and call another function of the set that does nothing else either. `asked`: such
    functions by name, and whether they do nothing else.
    """
    if isinstance(statement, (ast.FunctionDef, ast.Import, ast.ImportFrom)):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, ast.Lambda):
        return _passes_on(value, view)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args and not value.keywords:
        if value.func.id not in asked:
            asked[value.func.id] = _is_asked_for_a_name(view.modules.definition(view.file.stem, value.func.id))
        return asked[value.func.id]
    return isinstance(value, (ast.Name, ast.Attribute))


def _is_asked_for_a_name(function: ast.FunctionDef | None) -> bool:
    return function is not None and not function.decorator_list and all(map(_only_names, function.body))


def _passes_on(function: ast.Lambda, view: FileView) -> bool:
    """Whether a lambda only calls a function of the set, with its arguments and literals."""
    call = function.body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        return False
    given = (*function.args.defaults, *(default for default in function.args.kw_defaults if default))
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    known = call.func.id not in arguments and view.modules.definition(view.file.stem, call.func.id) is not None
    plain = all((isinstance(item, ast.Name) and item.id in arguments) or is_literal(item) for item in call.args)
    return known and plain and not given


def _only_names(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name)
