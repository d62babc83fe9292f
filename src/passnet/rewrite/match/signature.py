"""The needs of a pattern in a graph, as data. They can be compared without running its author's code again.

Two patterns that differ in spelling only (order of operands, names, order of independent calls) have one structure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from torch import fx

from passnet.rewrite.canonical.index import build_table
from passnet.rewrite.canonical.values import Value, nodes_in
from passnet.rewrite.rules.rule import Rule
from passnet.rewrite.rules.trace import Pattern

_MAX_ROUNDS = 32


def operations(pattern: Pattern) -> tuple[str, ...]:
    """Canonical names of the operations that a graph must hold for this pattern to match anywhere, sorted."""
    return tuple(sorted({op.name for node, op in pattern.ops.items() if node not in pattern.metadata}))


def operations_of(module: fx.GraphModule) -> frozenset[str]:
    """Canonical names of the operations of a graph."""
    return frozenset(build_table(module.graph).by_name)


def structure(pattern: Pattern) -> str:
    """sha256 of the pattern's computation, without its spelling."""
    text = _Writer(pattern).text(pattern.outputs)
    return hashlib.sha256(text.encode()).hexdigest()


def described(rules: Iterable[Rule]) -> list[dict[str, object]]:
    """Name, operations and structure of each rule, as plain data for another process."""
    return [
        {"rule": rule.name, "operations": list(operations(rule.pattern)), "structure": structure(rule.pattern)}
        for rule in rules
    ]


class _Writer:
    """Writes a pattern as text from its results to its parameters, which are numbered in the order of their first use.

    Operands of a commutative call are written in the order of their colours. A colour is a hash of a node, its operands
    and its users. Colours are refined until they cover the whole pattern.
    """

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._numbers: dict[fx.Node, int] = {}
        self._colours = _colours(pattern)

    def text(self, outputs: Iterable[fx.Node]) -> str:
        return ";".join(self._numbered(node) for node in outputs)

    def _numbered(self, value: Value) -> str:
        """A value with every node numbered at its first occurrence, so that shared values show."""
        if isinstance(value, tuple):
            return f"({','.join(self._numbered(item) for item in value)})"
        if not isinstance(value, fx.Node):
            return repr(value)
        if value in self._numbers:
            return f"%{self._numbers[value]}"
        operands, rest = _arguments(self._pattern, value)
        ordered = sorted(operands, key=lambda operand: _painted(operand, self._colours))
        parts = [self._numbered(part) for part in (*ordered, *(item for pair in rest for item in pair))]
        self._numbers[value] = len(self._numbers)
        return f"%{self._numbers[value]}={_head(self._pattern, value)}[{','.join(parts)}]"


def _arguments(pattern: Pattern, node: fx.Node) -> tuple[list[Value], list[tuple[str, Value]]]:
    """The operands whose order says nothing, and the other arguments in the order of their names."""
    op = pattern.ops.get(node)
    if op is None:
        return [], []
    args = {key: op.args[key] for key in sorted(op.args)}
    operands = [args.pop("input"), args.pop("other")] if op.commutative else []
    return operands, list(args.items())


def _colours(pattern: Pattern) -> dict[fx.Node, str]:
    nodes = [*pattern.parameters, *pattern.constants, *pattern.ops]
    places = {node: [i for i, output in enumerate(pattern.outputs) if output is node] for node in nodes}
    colours = {node: _hash(_head(pattern, node), places[node]) for node in nodes}
    for _ in range(min(len(nodes), _MAX_ROUNDS)):
        used: dict[fx.Node, list[str]] = {node: [] for node in nodes}
        below = {}
        for node in nodes:
            operands, rest = _arguments(pattern, node)
            for operand in operands:
                for source in nodes_in(operand):
                    used.setdefault(source, []).append(colours[node])
            for key, value in rest:
                for source in nodes_in(value):
                    used.setdefault(source, []).append(f"{key} {colours[node]}")
            painted = sorted(_painted(operand, colours) for operand in operands)
            below[node] = [*painted, *(f"{key} {_painted(value, colours)}" for key, value in rest)]
        colours = {node: _hash(colours[node], below[node], sorted(used[node])) for node in nodes}
    return colours


def _painted(value: Value, colours: dict[fx.Node, str]) -> str:
    """A value as text, with colours for nodes."""
    if isinstance(value, tuple):
        return f"({','.join(_painted(item, colours) for item in value)})"
    return colours.get(value, value.op) if isinstance(value, fx.Node) else repr(value)


def _head(pattern: Pattern, node: fx.Node) -> str:
    op = pattern.ops.get(node)
    if op is not None:
        return op.name
    if node in pattern.constants:
        held = pattern.constants[node]
        return f"constant {held.dtype} {_hash(held.tolist())}"
    kind = pattern.literals.get(node)
    return f"literal {kind}" if kind is not None else node.op


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
