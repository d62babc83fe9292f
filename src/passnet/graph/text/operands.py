"""Turns one argument of a `model.py` into a value: a reference, a literal, a torch constant or a container."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from pathlib import Path

from passnet.graph.errors import GraphError
from passnet.graph.text import allowed
from passnet.graph.text.literals import MAX_DEPTH, snippet
from passnet.graph.text.program import DeviceConstant, SliceValue, TorchConstant, Value

# Names that stand for a constant. FX writes `...` in an index as `Ellipsis`.
NAMED_CONSTANTS: Mapping[str, Value] = {"inf": math.inf, "nan": math.nan, "Ellipsis": Ellipsis}


class Scope:
    """The names that are bound at a line. It reads expressions with them.  One per parsed file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bound: dict[str, Value] = {}
        self.freed: dict[str, int] = {}

    def refuse(self, node: ast.AST, what: str, *, expected: object = None, hint: str | None = None) -> GraphError:
        """The error for a refused construct, with file and line and a quote of the source."""
        line = f"line {getattr(node, 'lineno', '?')}"
        return GraphError(what, path=self.path, field=line, expected=expected, found=snippet(node), hint=hint)

    def lookup(self, node: ast.Name) -> Value:
        """The value behind a name. The error says whether the name was never bound or already freed."""
        if node.id in self.bound:
            return self.bound[node.id]
        if node.id in NAMED_CONSTANTS:
            return NAMED_CONSTANTS[node.id]
        if node.id in self.freed:
            raise self.refuse(node, f"name {node.id!r} is used after it was freed on line {self.freed[node.id]}")
        raise self.refuse(node, f"name {node.id!r} is not defined", expected="a parameter or an earlier result")

    def value(self, node: ast.expr, depth: int = 0) -> Value:
        """The value of an argument.  Errors: `GraphError` for calls, arithmetic and anything not in the table."""
        if depth > MAX_DEPTH:
            raise self.refuse(node, f"arguments nest deeper than {MAX_DEPTH}")
        reader = _READERS.get(type(node))
        if reader is None:
            raise self.refuse(node, "not an argument a graph can have", hint="one operation per statement")
        return reader(self, node, depth + 1)


def dotted_name(node: ast.expr) -> str | None:
    """`a.b.c` as text, or None when the expression is not a chain of attributes on a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def is_torch_path(node: ast.expr, scope: Scope) -> bool:
    """Whether this attribute chain starts at the module `torch` (and not at a local of that name)."""
    name = dotted_name(node)
    return name is not None and name.split(".")[0] == "torch" and "torch" not in scope.bound


def _constant(scope: Scope, node: ast.Constant, depth: int) -> Value:
    if isinstance(node.value, bytes):
        raise scope.refuse(node, "bytes are not an argument a graph can have")
    return node.value


def _attribute(scope: Scope, node: ast.Attribute, depth: int) -> Value:
    name = dotted_name(node)
    if name is None or not is_torch_path(node, scope):
        raise scope.refuse(node, "attribute inside an argument", hint="one operation per statement")
    leaf = name.removeprefix("torch.")
    if leaf in allowed.TORCH_FLOATS:
        return allowed.TORCH_FLOATS[leaf]
    if leaf in allowed.TORCH_CONSTANTS:
        return TorchConstant(leaf)
    raise scope.refuse(node, f"{name} is not a constant a graph may use", expected="a dtype, layout or memory format")


def _unary(scope: Scope, node: ast.UnaryOp, depth: int) -> Value:
    value = scope.value(node.operand, depth)
    if isinstance(node.op, ast.USub) and isinstance(value, (int, float, complex)) and not isinstance(value, bool):
        return -value
    raise scope.refuse(node, "not an argument a graph can have", hint="one operation per statement")


def _complex(scope: Scope, node: ast.BinOp, depth: int) -> Value:
    """A complex literal such as `(1+2j)`. Any other arithmetic is an operation of its own."""
    left, right = scope.value(node.left, depth), scope.value(node.right, depth)
    if isinstance(left, (int, float)) and isinstance(right, complex) and isinstance(node.op, (ast.Add, ast.Sub)):
        return left + right if isinstance(node.op, ast.Add) else left - right
    raise scope.refuse(node, "arithmetic inside an argument", hint="one operation per statement")


def _call(scope: Scope, node: ast.Call, depth: int) -> Value:
    name = dotted_name(node.func)
    maker = _CONSTRUCTORS.get(name) if name is not None and name.split(".")[0] not in scope.bound else None
    if maker is None:
        raise scope.refuse(node, "a call inside an argument", hint="one operation per statement")
    return maker(scope, node, depth)


def _device(scope: Scope, node: ast.Call, depth: int) -> Value:
    fields = dict(zip(("type", "index"), (scope.value(arg, depth) for arg in node.args), strict=False))
    fields |= {keyword.arg or "**": scope.value(keyword.value, depth) for keyword in node.keywords}
    kind, index = fields.pop("type", None), fields.pop("index", None)
    if isinstance(kind, str) and ":" in kind and index is None:
        kind, _, digits = kind.partition(":")
        index = int(digits) if digits.isdecimal() and len(digits) < 5 else digits
    known = isinstance(kind, str) and kind in allowed.DEVICE_TYPES and not fields and len(node.args) <= 2
    if not known or not (index is None or (isinstance(index, int) and not isinstance(index, bool))):
        raise scope.refuse(node, "not a device", expected='device(type="cuda", index=0)')
    return DeviceConstant(str(kind), index if isinstance(index, int) else None)


def _slice_call(scope: Scope, node: ast.Call, depth: int) -> Value:
    parts = [scope.value(arg, depth) for arg in node.args]
    if node.keywords or not 1 <= len(parts) <= 3:
        raise scope.refuse(node, "not a slice", expected="slice(start, stop, step)")
    if len(parts) == 1:
        parts = [None, parts[0]]
    return SliceValue(*parts, *[None] * (3 - len(parts)))


def _size(scope: Scope, node: ast.Call, depth: int) -> Value:
    value = scope.value(node.args[0], depth) if len(node.args) == 1 and not node.keywords else None
    if not isinstance(value, (list, tuple)):
        raise scope.refuse(node, "not a size", expected="torch.Size([...])")
    return tuple(value)


def _float(scope: Scope, node: ast.Call, depth: int) -> Value:
    value = scope.value(node.args[0], depth) if len(node.args) == 1 and not node.keywords else None
    if value in ("inf", "-inf", "nan"):
        return float(str(value))
    raise scope.refuse(node, "a call inside an argument", hint="one operation per statement")


def _slice(scope: Scope, node: ast.Slice, depth: int) -> Value:
    parts = (node.lower, node.upper, node.step)
    return SliceValue(*(None if part is None else scope.value(part, depth) for part in parts))


_Reader = Callable[..., Value]
_READERS: Mapping[type[ast.AST], _Reader] = {
    ast.Name: lambda scope, node, depth: scope.lookup(node),
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.UnaryOp: _unary,
    ast.BinOp: _complex,
    ast.Call: _call,
    ast.Slice: _slice,
    ast.List: lambda scope, node, depth: [scope.value(item, depth) for item in node.elts],
    ast.Tuple: lambda scope, node, depth: tuple(scope.value(item, depth) for item in node.elts),
}
_CONSTRUCTORS: Mapping[str | None, _Reader] = {
    "device": _device,
    "torch.device": _device,
    "slice": _slice_call,
    "torch.Size": _size,
    "float": _float,
}
