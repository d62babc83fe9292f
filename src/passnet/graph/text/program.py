"""The parsed form of a `model.py`: parameters, one operation per statement, outputs.  No torch, no execution."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from passnet.graph.text.allowed import DEVICE_TEXT, canonical_target
from passnet.op_classes import op_leaf


@dataclass(frozen=True)
class Ref:
    """A value of the program: parameter `index`, or operation `index - len(params)`."""

    index: int


@dataclass(frozen=True)
class SliceValue:
    """`slice(start, stop, step)`. Each part is a value."""

    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True)
class TorchConstant:
    """A dtype, layout or memory format. `name` is the part after `torch.`."""

    name: str


@dataclass(frozen=True)
class DeviceConstant:
    """`device(type=..., index=...)`."""

    type: str
    index: int | None


# The types of an argument.  Tuples and lists nest. Dictionaries never occur.
Value = object


@dataclass(frozen=True)
class Op:
    """One recorded operation, in the form that Dynamo gives an FX node.

    `target` is a dotted name (`torch.conv2d`, `operator.add`, `getattr`). For a method it is the method's name, and the
    receiver is the first argument.  `name` is the local name in the text. `line` is its line (1-based).
    """

    kind: Literal["function", "method"]
    target: str
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]
    name: str
    line: int

    @functools.cached_property
    def leaf(self) -> str:
        """The operation's bare name."""
        return op_leaf(self.target)


@dataclass(frozen=True)
class ParsedModel:
    """A straight-line computation.  `outputs` is always a tuple. Its leaves are `Ref`s or plain constants."""

    params: tuple[str, ...]
    annotations: tuple[str | None, ...]
    ops: tuple[Op, ...]
    outputs: tuple[Value, ...]

    def uses(self) -> Iterator[tuple[int, Op, int | str]]:
        """Every direct use of a value as an argument: (value index, operation, argument position or keyword)."""
        for op in self.ops:
            for position, value in enumerate(op.args):
                if isinstance(value, Ref):
                    yield value.index, op, position
            for keyword, value in op.kwargs:
                if isinstance(value, Ref):
                    yield value.index, op, keyword

    def structure_hash(self) -> str:
        """sha256 of the computation without names, devices and lines. Renamed copies have the same hash."""
        lines = [f"params {len(self.params)}"]
        for op in self.ops:
            kwargs = sorted((key, canonical(value)) for key, value in op.kwargs)
            lines.append(f"{op.kind} {canonical_target(op.target)} {canonical(op.args)} {kwargs}")
        lines.append(f"return {canonical(self.outputs)}")
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def canonical(value: Value) -> str:
    """One text per value. Types stay apart (1 is not 1.0, a list is not a tuple). All devices give one text."""
    if isinstance(value, (tuple, list)):
        inner = "".join(canonical(item) + "," for item in value)
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    writer = _CANONICAL.get(type(value), repr)
    return writer(value)


_CANONICAL: Mapping[type, Callable[..., str]] = {
    Ref: lambda value: f"%{value.index}",
    DeviceConstant: lambda value: "device",
    str: lambda value: "device" if DEVICE_TEXT.fullmatch(value) else repr(value),
    TorchConstant: lambda value: f"torch.{value.name}",
    SliceValue: lambda value: f"slice{canonical((value.start, value.stop, value.step))}",
}


def map_value(value: Value, leaf: Callable[[Value], object]) -> object:
    """`value` rebuilt with `leaf` applied to everything that is not a container (slices become `slice`)."""
    if isinstance(value, tuple):
        return tuple(map_value(item, leaf) for item in value)
    if isinstance(value, list):
        return [map_value(item, leaf) for item in value]
    if isinstance(value, SliceValue):
        return slice(map_value(value.start, leaf), map_value(value.stop, leaf), map_value(value.step, leaf))
    return leaf(value)


def refs_of(value: Value) -> Iterator[Ref]:
    """The references inside a value, in order."""
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from refs_of(item)
    elif isinstance(value, SliceValue):
        yield from refs_of((value.start, value.stop, value.step))
