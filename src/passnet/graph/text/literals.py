"""Reads Python literals from syntax trees without executing anything. Knows `float("nan")` and `float("inf")`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from passnet.authored import check_integers, expression_text, syntax_tree
from passnet.graph.errors import GraphError

MAX_DEPTH = 32
# A syntax tree takes a microsecond and half a kilobyte for each number. The limit allows 100,000 statements in seconds.
MAX_SEPARATORS = 1_000_000
_SEPARATORS = ",.;:=([{+-*/%|&^<>@~\n"
_NAMED_FLOATS = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}


def parse_python(text: str, path: Path) -> ast.Module:
    """The syntax tree of `text`. Every failure of the parser becomes a `GraphError` with the line."""
    size = sum(map(text.count, _SEPARATORS))
    if size > MAX_SEPARATORS:
        raise GraphError("too many numbers or statements", path=path, expected=f"at most {MAX_SEPARATORS}", found=size)
    try:
        tree = syntax_tree(text)
    except SyntaxError as error:
        raise GraphError(
            f"not valid Python: {error.msg}", path=path, field=f"line {error.lineno}", hint="is the file truncated?"
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise GraphError(
            f"cannot be parsed: {str(error) or type(error).__name__}",
            path=path,
            expected="shallow straight-line Python",
        ) from None
    try:
        check_integers(tree)
    except SyntaxError as error:
        raise GraphError(error.msg, path=path, field=f"line {error.lineno}") from None
    return tree


def bad_literal(node: ast.AST, path: Path, field: str, expected: str = "a literal") -> GraphError:
    """The error for an expression that is not the literal that `field` needs."""
    line = getattr(node, "lineno", None)
    found = snippet(node)
    return GraphError("not a literal", path=path, field=f"line {line}, {field}", expected=expected, found=found)


def snippet(node: ast.AST, limit: int = 80) -> str:
    """A short piece of source for error messages. It works for every node."""
    return expression_text(node, limit)


def literal(node: ast.expr, path: Path, field: str, *, depth: int = 0) -> object:
    """The value of a literal expression: a number, string, bool, None, list, tuple, dict or signed number.

    Errors: `GraphError` naming `field` and the line for anything else, or when nested deeper than `MAX_DEPTH`.
    """
    if depth > MAX_DEPTH:
        raise bad_literal(node, path, field, f"at most {MAX_DEPTH} levels of nesting")
    reader = _READERS.get(type(node))
    if reader is None:
        raise bad_literal(node, path, field)
    return reader(node, path, field, depth)


def _constant(node: ast.Constant, path: Path, field: str, depth: int) -> object:
    if node.value is Ellipsis or isinstance(node.value, bytes):
        raise bad_literal(node, path, field)
    return node.value


def _signed(node: ast.UnaryOp, path: Path, field: str, depth: int) -> object:
    value = literal(node.operand, path, field, depth=depth + 1)
    if isinstance(value, bool) or not isinstance(value, (int, float, complex)):
        raise bad_literal(node, path, field)
    if isinstance(node.op, ast.USub):
        return -value
    if isinstance(node.op, ast.UAdd):
        return value
    raise bad_literal(node, path, field)


def _float_call(node: ast.Call, path: Path, field: str, depth: int) -> object:
    """`float("nan")`, `float("-inf")`, and `float("0")` as Paddle writes it."""
    is_float = isinstance(node.func, ast.Name) and node.func.id == "float" and len(node.args) == 1 and not node.keywords
    argument = node.args[0] if is_float else None
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, (str, int, float)):
        raise bad_literal(node, path, field)
    if isinstance(argument.value, str):
        word = argument.value.strip().lower()
        if word.lstrip("+-") in _NAMED_FLOATS:
            value = _NAMED_FLOATS[word.lstrip("+-")]
            return -value if word.startswith("-") else value
    try:
        return float(argument.value)
    except (ValueError, OverflowError):
        raise bad_literal(node, path, field, "a number") from None


def _items(nodes: list[ast.expr], path: Path, field: str, depth: int) -> list[object]:
    return [literal(item, path, field, depth=depth + 1) for item in nodes]


def _dict(node: ast.Dict, path: Path, field: str, depth: int) -> object:
    if any(key is None for key in node.keys):
        raise bad_literal(node, path, field)
    keys = [literal(key, path, field, depth=depth + 1) for key in node.keys if key is not None]
    if any(not isinstance(key, (str, int)) for key in keys):
        raise bad_literal(node, path, field)
    return dict(zip(keys, _items(node.values, path, field, depth), strict=True))


_Reader = Callable[..., object]
_READERS: Mapping[type[ast.AST], _Reader] = {
    ast.Constant: _constant,
    ast.UnaryOp: _signed,
    ast.Call: _float_call,
    ast.List: lambda node, path, field, depth: _items(node.elts, path, field, depth),
    ast.Tuple: lambda node, path, field, depth: tuple(_items(node.elts, path, field, depth)),
    ast.Dict: _dict,
}
