"""One call of a wrapper as data: its allocations, fills, copies, launches and results.

Tensors have numbers: the inputs first, then the allocations of the call, in order. A view is a base and an offset.
Operators that only change the view leave no step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch


class NotFrozen(Exception):
    """The reason why a wrapper's calls cannot be replayed, in words for its author. They are made as usual."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class KeptState(NotFrozen):
    """A wrapper uses memory from an earlier call or from the loading of its file. This is a breach, not a limit."""


@dataclass(frozen=True, slots=True)
class Address:
    """Memory handed to a kernel: bytes from the start of a base."""

    base: int
    offset: int


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A tensor over a base. `offset` is in elements from the base's first one."""

    base: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    dtype: torch.dtype


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or None. It is stored as text, so that 1, True and 1.0 differ."""

    text: str

    @classmethod
    def of(cls, value: object, whom: str) -> Constant:
        """NotFrozen for a value that is no plain number. `whom` names the receiver."""
        if value is not None and type(value) not in (int, float, bool):
            raise NotFrozen(f"{whom} is given a {type(value).__name__}, which cannot be recorded")
        if value != value or value in (float("inf"), float("-inf")):
            return cls(f"float('{value}')")
        return cls(repr(value))


@dataclass(frozen=True, slots=True)
class Allocate:
    """Memory allocated, as base number `base`."""

    base: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    device: torch.device


@dataclass(frozen=True, slots=True)
class Fill:
    """Every element set to one number."""

    target: ReplayView
    value: Constant


@dataclass(frozen=True, slots=True)
class Clone:
    """The same values in a new layout, as base number `base`."""

    base: int
    source: ReplayView
    whole: ReplayView
    memory_format: torch.memory_format | None


@dataclass(frozen=True, slots=True)
class HostCall:
    """A call of a C++ function. `function` takes addresses and numbers."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Address | Constant, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A function of a stream and addresses, and the objects that must live while it is called."""

    call: Callable[..., Any]
    owner: object


class Launcher(Protocol):
    """A kernel with its grid and numbers, comparable."""

    @property
    def name(self) -> str: ...

    def prepare(self) -> Prepared: ...


@dataclass(frozen=True, slots=True)
class DeviceLaunch:
    """A launch of a GPU kernel. `aligned`: it was compiled for addresses that are multiples of 16."""

    launcher: Launcher
    addresses: tuple[Address, ...]
    aligned: bool

    @property
    def name(self) -> str:
        return self.launcher.name


Step = Allocate | Fill | Clone | HostCall | DeviceLaunch


@dataclass(frozen=True, slots=True)
class Many:
    """A tuple or list of results."""

    kind: type
    items: tuple[Result, ...]


Result = ReplayView | Many | None


@dataclass(slots=True)
class ReplayPlan:
    """The steps of one call and its result. Two calls of one signature that can be replayed have equal plans."""

    inputs: int
    device: torch.device
    steps: list[Step] = field(default_factory=list)
    result: Result = None

    @property
    def launches(self) -> tuple[HostCall | DeviceLaunch, ...]:
        """The kernels, in order."""
        return tuple(step for step in self.steps if isinstance(step, HostCall | DeviceLaunch))

    @property
    def single(self) -> bool:
        """Whether the result is one tensor."""
        return isinstance(self.result, ReplayView)

    def differs(self, other: ReplayPlan) -> str | None:
        """The first difference between two recordings of one signature, in words. None when there is none."""
        for mine, theirs in zip(self.steps, other.steps, strict=False):
            if mine != theirs:
                return f"two calls with one signature differ: {_named(mine)} and {_named(theirs)}"
        if len(self.steps) != len(other.steps):
            return f"two calls with one signature differ: {len(self.steps)} and {len(other.steps)} steps"
        return None if self.result == other.result else "two calls with one signature return different tensors"


def views_of(result: Result) -> Iterator[ReplayView]:
    """The tensors of a result, in order."""
    if isinstance(result, ReplayView):
        yield result
    elif isinstance(result, Many):
        for item in result.items:
            yield from views_of(item)


def _named(step: Step) -> str:
    match step:
        case HostCall():
            return f"{step.name}({', '.join(_argument(value) for value in step.arguments)})"
        case DeviceLaunch():
            return str(step.launcher)
        case Fill():
            return f"a fill with {step.value.text}"
        case Clone():
            return "a copy"
        case Allocate():
            return f"an allocation of {list(step.size)}"


def _argument(value: Address | Constant) -> str:
    return value.text if isinstance(value, Constant) else f"tensor {value.base}"
