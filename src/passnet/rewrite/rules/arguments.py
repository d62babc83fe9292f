"""Reads `replacement_args` as a template: the matched values, constants and metadata that go to the kernel."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import torch

from passnet.errors import foreign
from passnet.op_classes import word_set
from passnet.rewrite.canonical import op_tables
from passnet.rewrite.passes.errors import ReplacementArgsComputes, RuleTraceError
from passnet.rewrite.rules.trace import MOST_BITS, MOST_NESTED, error_line, too_large

CONSTANTS = frozenset(
    {bool, int, float, complex, str, type(None), torch.dtype, torch.device, torch.memory_format, torch.layout}
)


@dataclass(frozen=True, slots=True)
class Argument:
    """The value that the pattern's parameter number `index` matched."""

    index: int


@dataclass(frozen=True, slots=True)
class Metadata:
    """A size, dtype, device ... of a matched value: attribute or method calls and indexing, in order."""

    index: int
    steps: tuple[tuple[str, Any], ...]

    def read(self, value: Any) -> Any:
        """Evaluate on the example value of the matched node."""
        for kind, operand in self.steps:
            if kind == "item":
                value = value[operand]
            elif kind == "attribute":
                value = getattr(value, operand)
            else:
                value = getattr(value, operand[0])(*operand[1])
        return value


Template = Any
"""Nested tuples of `Argument`, `Metadata` and constants."""


def trace_arguments(function: Callable[..., object], arity: int, path: Path) -> tuple[Template, ...]:
    """Call `function` with recording values. Raises `ReplacementArgsComputes` when it does more than pass on."""

    def untraceable(error: BaseException) -> RuleTraceError:
        message = f"replacement_args cannot be traced: {type(error).__name__}: {error}"
        return RuleTraceError(path, error_line(error, path), message, _HINT)

    try:
        with foreign(untraceable, _Computes, RuleTraceError):
            return _returned(function(*(_Value(index) for index in range(arity))), path)
    except _Computes as error:
        raise _computes(path, error_line(error, path), str(error)) from None


def _returned(result: object, path: Path) -> tuple[Template, ...]:
    if not isinstance(result, (tuple, list)):
        found = type(result).__name__
        raise RuleTraceError(path, None, f"replacement_args returns {found}, not a tuple", _HINT)
    return tuple(_template(item, path) for item in result)


def used_arguments(template: Template) -> frozenset[int]:
    """Indices of the pattern's parameters that the template needs."""
    if isinstance(template, (Argument, Metadata)):
        return frozenset({template.index})
    if isinstance(template, tuple):
        return frozenset().union(*(used_arguments(item) for item in template))
    return frozenset()


def read_arguments(template: Template) -> frozenset[int]:
    """Indices of the pattern's parameters whose metadata the template reads."""
    if isinstance(template, Metadata):
        return frozenset({template.index})
    if isinstance(template, tuple):
        return frozenset().union(*(read_arguments(item) for item in template))
    return frozenset()


_HINT = 'return a tuple of the arguments, constants and sizes, for example (x, w, "route", x.shape[0])'


def _template(item: object, path: Path, depth: int = 0) -> Template:
    if depth > MOST_NESTED:
        raise RuleTraceError(path, None, f"replacement_args returns lists more than {MOST_NESTED} deep", _HINT)
    if type(item) is _Value and type(index := object.__getattribute__(item, "index")) is int:
        return Argument(index)
    if type(item) is _Read and type(metadata := object.__getattribute__(item, "metadata")) is Metadata:
        return metadata
    if isinstance(item, (tuple, list)):
        return tuple(_template(part, path, depth + 1) for part in item)
    if too_large(item):
        raise RuleTraceError(path, None, f"replacement_args returns a number of more than {MOST_BITS} bits", _HINT)
    if type(item) in CONSTANTS:  # what derives from one writes itself into the graph's code as it likes
        return item
    raise _computes(path, None, f"it returns {type(item).__name__}")


def _computes(path: Path, line: int | None, what: str) -> ReplacementArgsComputes:
    return ReplacementArgsComputes(path, line, f"replacement_args computes: {what}", _HINT)


class _Computes(Exception):
    """Raised by a recording value that is asked for more than metadata."""


def _refuse(what: str) -> Callable[..., NoReturn]:
    def method(self: object, *args: object, **kwargs: object) -> NoReturn:
        raise _Computes(f"it uses {what} on an argument or on its metadata")

    return method


class _Recorded:
    """Any object that `replacement_args` receives. Every use except metadata raises."""

    @classmethod
    def __torch_function__(cls, func: object, types: object, args: object = (), kwargs: object = None) -> NoReturn:
        raise _Computes(f"it calls torch.{getattr(func, '__name__', func)}")


_OPERATORS = word_set(
    "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod "
    "pow rpow ipow matmul rmatmul imatmul and rand iand or ror ior xor rxor ixor lshift rlshift rshift rrshift neg "
    "pos invert abs eq ne lt le gt ge bool len iter contains setitem index int float round"
)
for _name in _OPERATORS:
    setattr(_Recorded, f"__{_name}__", _refuse(f"__{_name}__"))


class _Value(_Recorded):
    """A matched value: only metadata can be read from it."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __getattribute__(self, name: str) -> object:
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        index = object.__getattribute__(self, "index")
        if name in op_tables.META_ATTRIBUTES:
            return _Read(Metadata(index, (("attribute", name),)))
        if name in op_tables.META_METHODS:
            return lambda *args: _Read(Metadata(index, (("call", (name, _integers(args))),)))
        raise _Computes(f"it uses .{name}")

    def __getitem__(self, index: object) -> NoReturn:
        raise _Computes("it indexes an argument")


class _Read(_Recorded):
    """Metadata of a matched value: may be indexed further (`x.shape[0]`, `x.device.index`), not computed with."""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata = metadata

    def __getattribute__(self, name: str) -> object:
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        if name in ("type", "index"):
            return _Read._step(self, "attribute", name)
        raise _Computes(f"it uses .{name} on metadata")

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return _Read._step(self, "item", operator.index(index))
        ends = (None if end is None else operator.index(end) for end in (index.start, index.stop, index.step))
        return _Read._step(self, "item", slice(*ends))

    def _step(self, kind: str, operand: object) -> _Read:
        metadata: Metadata = object.__getattribute__(self, "metadata")
        return _Read(Metadata(metadata.index, (*metadata.steps, (kind, operand))))


def _integers(args: tuple[Any, ...]) -> tuple[int, ...]:
    if not all(isinstance(arg, int) for arg in args):
        raise _Computes("it passes more than integers to a metadata method")
    return tuple(operator.index(arg) for arg in args)
