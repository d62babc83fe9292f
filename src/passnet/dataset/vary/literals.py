"""Addresses the arguments of a program's operations, and rewrites literals and operand types there.  No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from passnet.graph.text.program import Op, ParsedModel, Ref, SliceValue, TorchConstant, Value, map_value

# The place of a value inside an operation: first the position or the keyword, then positions in containers and the
# parts of slices ("start", "stop", "step").
Path = tuple[int | str, ...]
# Operation number -> path -> value: new literals, or the dtypes that operands are cast to.
Edits = Mapping[int, Mapping[Path, Value]]
Casts = Mapping[int, Mapping[Path, str]]

SLICE_PARTS = ("start", "stop", "step")


@dataclass(frozen=True)
class LiteralRewrite:
    """The changes of a variant in a program: literals, and operands that are cast first (to a dtype's short name)."""

    edits: Edits = field(default_factory=dict)
    casts: Casts = field(default_factory=dict)

    def merged(self, edits: Edits) -> LiteralRewrite:
        """This rewrite with more literals changed."""
        numbers = sorted({*self.edits, *edits})
        both = {number: {**self.edits.get(number, {}), **edits.get(number, {})} for number in numbers}
        return replace(self, edits=both)

    def __bool__(self) -> bool:
        return any(self.edits.values()) or any(self.casts.values())


def leaves(op: Op) -> Iterator[tuple[Path, Value]]:
    """Every argument of the operation that is no container, with its path, in the order of the text."""
    for position, value in enumerate(op.args):
        yield from _inside(value, (position,))
    for keyword, value in op.kwargs:
        yield from _inside(value, (keyword,))


def _inside(value: Value, path: Path) -> Iterator[tuple[Path, Value]]:
    if isinstance(value, (tuple, list)):
        for position, item in enumerate(value):
            yield from _inside(item, (*path, position))
    elif isinstance(value, SliceValue):
        for part in SLICE_PARTS:
            yield from _inside(getattr(value, part), (*path, part))
    else:
        yield path, value


def substituted(container: Any, path: Path, value: Value) -> Any:
    """A copy of nested tuples, lists and slices with the value at `path` replaced."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(container, (SliceValue, slice)):
        parts = [getattr(container, part) for part in SLICE_PARTS]
        parts[SLICE_PARTS.index(str(step))] = substituted(getattr(container, str(step)), rest, value)
        return type(container)(*parts)
    copy = list(container)
    copy[int(step)] = substituted(copy[int(step)], rest, value)
    return type(container)(copy)


def edited(op: Op, edits: Mapping[Path, Value]) -> Op:
    """The operation with the values at some paths replaced."""
    args, kwargs = op.args, dict(op.kwargs)
    for path, value in edits.items():
        if isinstance(path[0], int):
            args = substituted(args, path, value)
        else:
            kwargs[path[0]] = substituted(kwargs[path[0]], path[1:], value)
    return replace(op, args=args, kwargs=tuple(kwargs.items()))


def value_at(op: Op, path: Path) -> Value:
    """The value at a path."""
    found: Any = op.args[path[0]] if isinstance(path[0], int) else dict(op.kwargs)[path[0]]
    for step in path[1:]:
        found = found[step] if isinstance(step, int) else getattr(found, step)
    return found


def rewritten(program: ParsedModel, rewrite: LiteralRewrite) -> ParsedModel:
    """The program with literals replaced and a `.to(dtype)` before each operation whose operand is cast."""
    count = len(program.params)
    places = {index: index for index in range(count)}
    ops: list[Op] = []
    for number, op in enumerate(program.ops):
        changed = edited(op, rewrite.edits.get(number, {}))
        casts: dict[Path, Value] = {}
        for path, dtype in rewrite.casts.get(number, {}).items():
            operand = _moved(value_at(op, path), places)
            ops.append(Op("method", "to", (operand, TorchConstant(dtype)), (), "", op.line))
            casts[path] = Ref(count + len(ops) - 1)
        ops.append(edited(_moved_op(changed, places), casts))
        places[count + number] = count + len(ops) - 1
    return replace(program, ops=tuple(ops), outputs=tuple(_moved(value, places) for value in program.outputs))


def _moved_op(op: Op, places: Mapping[int, int]) -> Op:
    kwargs = tuple((key, _moved(value, places)) for key, value in op.kwargs)
    return replace(op, args=tuple(_moved(value, places) for value in op.args), kwargs=kwargs)


def _moved(value: Value, places: Mapping[int, int]) -> Value:
    """The value with every reference renumbered. Slices stay the program's own kind."""
    built = map_value(value, lambda leaf: Ref(places[leaf.index]) if isinstance(leaf, Ref) else leaf)
    return _program_slices(built)


def _program_slices(value: object) -> Value:
    if isinstance(value, (tuple, list)):
        return type(value)(_program_slices(item) for item in value)
    return SliceValue(value.start, value.stop, value.step) if isinstance(value, slice) else value
