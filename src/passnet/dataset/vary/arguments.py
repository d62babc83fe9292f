"""Finds the operand and the sizes among the arguments of an operation, and lines up shapes.  No torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from passnet.dataset.vary.literals import Path
from passnet.graph.text.program import Op, Ref, Value

Entries = Sequence[tuple[Path, Value]]


def aligned(before: Sequence[int | None], after: Sequence[int | None]) -> list[tuple[list[int], list[int]]]:
    """Positions of both shapes in smallest groups of equal products, in order. Remaining ones make a last group."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(before) or j < len(after):
        inside, outside = ([i], [j]) if i < len(before) and j < len(after) else ([], [])
        if not inside:
            inside, outside = list(range(i, len(before))), list(range(j, len(after)))
            groups.append((inside, outside))
            break
        left, right = before[i] or 0, after[j] or 0
        i, j = i + 1, j + 1
        while left != right and (i < len(before) or j < len(after)):
            if (left < right and i < len(before)) or j >= len(after):
                inside.append(i)
                left, i = left * (before[i] or 0), i + 1
            else:
                outside.append(j)
                right, j = right * (after[j] or 0), j + 1
        groups.append((inside, outside))
    return groups


def indexed_dims(elements: Sequence[Value], rank: int) -> list[int | None]:
    """The dimension of the operand that each element of an index addresses. None for `None` and `...`."""
    addressing = [element for element in elements if element is not None and element is not Ellipsis]
    found: list[int | None] = []
    dim = 0
    for element in elements:
        if element is Ellipsis:
            dim = rank - (len(addressing) - dim)
        found.append(None if element is None or element is Ellipsis else dim)
        dim += found[-1] is not None
    return found


def is_size(value: Value) -> TypeGuard[int]:
    """Whether the value is a literal size."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def operand(op: Op) -> int | None:
    """The value that the operation works on: its first argument, or `input`."""
    value = op.args[0] if op.args else dict(op.kwargs).get("input")
    return value.index if isinstance(value, Ref) else None


def argument(op: Op, position: int, *keywords: str, default: Value = None) -> Value:
    """The argument at a position or by one of several keywords."""
    if position < len(op.args):
        return op.args[position]
    named = dict(op.kwargs)
    return next((named[keyword] for keyword in keywords if keyword in named), default)


def size_entries(op: Op, position: int, *keywords: str) -> list[tuple[Path, Value]]:
    """Sizes given as a tuple, one by one, or by keyword, each with its path."""
    named = next((pair for pair in op.kwargs if pair[0] in keywords), None)
    if named is not None:
        return _listed((named[0],), named[1])
    rest = op.args[position:]
    if rest and isinstance(rest[0], (tuple, list)):
        return _listed((position,), rest[0])
    return [((position + i,), item) for i, item in enumerate(rest)]


def _listed(path: Path, value: Value) -> list[tuple[Path, Value]]:
    """The items of a tuple or list, or the value itself, each with its path."""
    if isinstance(value, (tuple, list)):
        return [((*path, i), item) for i, item in enumerate(value)]
    return [(path, value)]
