"""Sums, products and their like as sets of operands: `a + b + c` is one operation, however it is grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from torch import fx

from passnet.graph.names import word_set
from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.values import Value, example_value

ASSOCIATIVE = word_set("add mul bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor maximum minimum")
MAX_OPERANDS = 6  # operands of one set: their assignments are tried one after another


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand of a set, and the call that takes it as argument `key`."""

    value: Value
    owner: fx.Node
    key: str


@dataclass(frozen=True, slots=True)
class OperandSet:
    """A tree of calls of one operation, seen as a set of operands. `inner` are its calls, the root first."""

    inner: tuple[fx.Node, ...]
    operands: tuple[Operand, ...]


def flattened(root: fx.Node, ops: Mapping[fx.Node, CanonicalOp], kept: frozenset[fx.Node]) -> OperandSet | None:
    """The largest tree below `root`. None when that is `root` alone. Nodes in `kept` stay operands."""
    flat = _single(root, ops)
    place = 0
    while place < len(flat.operands):
        grown = _grow(flat, place, ops, kept)
        if grown is None:
            place += 1
        else:
            flat = grown
    return flat if len(flat.inner) > 1 and len(flat.operands) <= MAX_OPERANDS else None


def cuts(root: fx.Node, ops: Mapping[fx.Node, CanonicalOp], count: int) -> Iterator[OperandSet]:
    """Every tree below `root` with exactly `count` operands, each once."""
    yield from _cuts(_single(root, ops), 0, ops, count)


def _cuts(flat: OperandSet, start: int, ops: Mapping[fx.Node, CanonicalOp], count: int) -> Iterator[OperandSet]:
    if len(flat.operands) == count:
        yield flat
        return
    for place in range(start, len(flat.operands)):
        grown = _grow(flat, place, ops, frozenset())
        if grown is not None:
            yield from _cuts(grown, place, ops, count)


def _single(root: fx.Node, ops: Mapping[fx.Node, CanonicalOp]) -> OperandSet:
    args = ops[root].args
    return OperandSet((root,), (Operand(args["input"], root, "input"), Operand(args["other"], root, "other")))


def _grow(
    flat: OperandSet, place: int, ops: Mapping[fx.Node, CanonicalOp], kept: frozenset[fx.Node]
) -> OperandSet | None:
    """The tree with one operand split, if that is a call of the same operation with no other user."""
    node, root = flat.operands[place].value, flat.inner[0]
    op = ops.get(node) if isinstance(node, fx.Node) else None
    if op is None or node in kept or op.name != ops[root].name or not op.commutative or op.writes:
        return None
    if len(node.users) != 1 or _dtype(node) != _dtype(root):
        return None
    below = _single(node, ops).operands
    return OperandSet((*flat.inner, node), (*flat.operands[:place], *below, *flat.operands[place + 1 :]))


def _dtype(node: fx.Node) -> object:
    return getattr(example_value(node), "dtype", None)
