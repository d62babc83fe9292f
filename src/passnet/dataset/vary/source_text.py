"""Finds the arguments of a program in its source text and rewrites them there, leaving every other byte as it is."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from passnet.dataset.vary.literals import LiteralRewrite, Path
from passnet.errors import PassNetError
from passnet.graph.text.operands import dotted_name
from passnet.graph.text.program import ParsedModel, TorchConstant, Value

# Calls that stand for a constant and record no operation.
_CONSTANTS = frozenset({"device", "torch.device", "slice", "torch.Size", "float"})
_SLICE_PARTS = {1: ("stop",), 2: ("start", "stop"), 3: ("start", "stop", "step")}


class UnaddressableError(PassNetError):
    """The text does not spell the program one operation per statement."""


@dataclass(frozen=True)
class _Edit:
    """Bytes [start, end) of the text become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _Statement:
    """A statement that records an operation, and its arguments: position or keyword -> expression."""

    node: ast.stmt
    arguments: Mapping[int | str, ast.expr]


class SourceText:
    """The source of one program, ready to be rewritten many times.

    Errors: `UnaddressableError` when statements and operations do not correspond one to one.
    """

    def __init__(self, source: str, program: ParsedModel) -> None:
        self._raw = source.encode("utf-8")
        self._program = program
        self._starts = _line_starts(self._raw)
        self._statements = list(_statements(ast.parse(source)))
        if len(self._statements) != len(program.ops):
            raise UnaddressableError(f"{len(self._statements)} statements for {len(program.ops)} operations")
        self._stem = _unused_stem(source)

    def rendered(self, rewrite: LiteralRewrite) -> str:
        """The text of the rewritten program."""
        edits = [
            _Edit(*self._span(self._at(number, path)), _literal(value))
            for number, paths in rewrite.edits.items()
            for path, value in paths.items()
        ]
        count = 0
        for number, casts in sorted(rewrite.casts.items()):
            edits += self._casts(number, casts, count)
            count += len(casts)
        return self._spliced(edits)

    def _spliced(self, edits: list[_Edit]) -> str:
        out, place = [], 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            out += [self._raw[place : edit.start], edit.text.encode("utf-8")]
            place = edit.end
        return b"".join([*out, self._raw[place:]]).decode("utf-8")

    def _casts(self, number: int, casts: Mapping[Path, str], count: int) -> Iterator[_Edit]:
        """The operands' names replaced, a cast before the statement and a free after the line that ends it."""
        statement = self._statements[number].node
        start = self._offset(statement.lineno, statement.col_offset)
        line = self._starts[statement.lineno - 1]
        indent = self._raw[line:start].decode("utf-8")
        if indent.strip():
            raise UnaddressableError(f"line {statement.lineno} holds several statements")
        names: list[str] = []
        for path, dtype in casts.items():
            span = self._span(self._at(number, path))
            names.append(f"{self._stem}{count + len(names)}")
            yield _Edit(line, line, f"{indent}{names[-1]} = {self._raw[slice(*span)].decode()}.to(torch.{dtype})\n")
            yield _Edit(*span, names[-1])
        end = self._starts[statement.end_lineno or statement.lineno]
        yield _Edit(end, end, f"{indent}{' = '.join(names)} = None\n")

    def _at(self, number: int, path: Path) -> ast.expr:
        """The expression at a path of an operation."""
        node = self._statements[number].arguments.get(path[0])
        for step in path[1:]:
            node = _inner(node, step)
        if node is None:
            raise UnaddressableError(f"operation {number} has no argument at {path}")
        return node

    def _span(self, node: ast.expr) -> tuple[int, int]:
        end = self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return self._offset(node.lineno, node.col_offset), end

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column


def _line_starts(raw: bytes) -> list[int]:
    starts = [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _unused_stem(source: str) -> str:
    """A stem of variable names that the text does not use: `cast_`, or with more underscores."""
    stem = "cast_"
    while re.search(rf"\b{stem}\d", source):
        stem += "_"
    return stem


def _literal(value: Value) -> str:
    if isinstance(value, TorchConstant):
        return f"torch.{value.name}"
    if isinstance(value, float) and not math.isfinite(value):
        raise UnaddressableError("only finite numbers can be written")
    return repr(value)


def _inner(node: ast.expr | None, step: int | str) -> ast.expr | None:
    """One step into a container or a slice."""
    if isinstance(node, ast.Call) and dotted_name(node.func) == "torch.Size":
        node = node.args[0]
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(step, int):
        return node.elts[step]
    if isinstance(node, ast.Call) and isinstance(step, str):
        return dict(zip(_SLICE_PARTS[len(node.args)], node.args, strict=True)).get(step)
    if isinstance(node, ast.Slice):
        return {"start": node.lower, "stop": node.upper, "step": node.step}[str(step)]
    return None


def _statements(tree: ast.Module) -> Iterator[_Statement]:
    """The statements of `forward` that record an operation, in order, as the reader counts them."""
    cls = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    forward = next(node for node in cls.body if isinstance(node, ast.FunctionDef))
    for node in forward.body:
        arguments = _statement_arguments(node)
        if arguments is not None:
            yield _Statement(node, arguments)


def _statement_arguments(node: ast.stmt) -> Mapping[int | str, ast.expr] | None:
    if isinstance(node, ast.AugAssign):
        return {0: node.target, 1: node.value}
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return {0: node.targets[0].value, 1: node.targets[0].slice, 2: node.value}
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr)) and node.value is not None:
        return _expression_arguments(node.value)
    return None


def _expression_arguments(node: ast.expr) -> Mapping[int | str, ast.expr] | None:
    """The arguments of an expression that records an operation, or None for constants and aliases."""
    match node:
        case ast.Call():
            return _call_arguments(node)
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return {0: left, 1: right}
        case ast.UnaryOp():
            return None if isinstance(node.operand, ast.Constant) else {0: node.operand}
        case ast.Subscript():
            return {0: node.value, 1: node.slice}
        case ast.Attribute() if not _is_torch(node):
            return {0: node.value}
    return None


def _call_arguments(node: ast.Call) -> Mapping[int | str, ast.expr] | None:
    name = dotted_name(node.func)
    if name in _CONSTANTS:
        return None
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) and not _is_torch(node.func) else []
    arguments: dict[int | str, ast.expr] = dict(enumerate([*receiver, *node.args]))
    return arguments | {str(keyword.arg): keyword.value for keyword in node.keywords}


def _is_torch(node: ast.expr) -> bool:
    name = dotted_name(node)
    return name is not None and name.split(".")[0] == "torch"
