"""Turns a plan into a Python function: straight-line source that checks its arguments, allocates and launches.

The function has the wrapper's parameters. Arguments that the guard does not know go to `other`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from passnet.kernels.compilation.registry import registry
from passnet.kernels.gpu.driver import raw_stream
from passnet.kernels.replay.plan import (
    Address,
    Allocate,
    Arguments,
    Clone,
    Constant,
    DeviceLaunch,
    Fill,
    HostCall,
    Many,
    NotFrozen,
    ReplayPlan,
    ReplayView,
    Result,
    Wrapper,
)

# Addresses with this alignment let Triton compile wide loads. Triton compiles one kernel for each pattern of aligned
# addresses.
ALIGNMENT = 16
_GUARDS = torch._C._dynamo.guards


@dataclass(frozen=True)
class Leaf:
    """One argument, or one item of a tuple or list argument: its name in the source, and its value."""

    text: str
    value: Any

    @property
    def is_tensor(self) -> bool:
        return isinstance(self.value, torch.Tensor)


def leaves(args: Arguments) -> list[Leaf]:
    """The tensors and constants of a call, in order, with lists flattened."""
    return list(itertools.chain.from_iterable(_open(f"a{index}", value) for index, value in enumerate(args)))


def _open(text: str, value: Any) -> Iterator[Leaf]:
    if type(value) in (tuple, list):
        for index, item in enumerate(value):
            yield from _open(f"{text}[{index}]", item)
    else:
        yield Leaf(text, value)


def arities(args: Sequence[object]) -> list[tuple[str, int]]:
    """Every tuple or list among the arguments and its length, outer ones first."""
    found: list[tuple[str, int]] = []

    def look(text: str, value: Any) -> None:
        if type(value) in (tuple, list):
            found.append((text, len(value)))
            for index, item in enumerate(value):
                look(f"{text}[{index}]", item)

    for index, value in enumerate(args):
        look(f"a{index}", value)
    return found


class ReplaySource:
    """The source of one replay while it is written, and the objects that it names."""

    def __init__(self, plan: ReplayPlan, args: Sequence[object]) -> None:
        self.plan = plan
        self.args = args
        self.leaves = leaves(args)
        self.tensors = [leaf for leaf in self.leaves if leaf.is_tensor]
        self.names: dict[str, Any] = {"same": _same, "tuple": tuple, "list": list, "type": type, "len": len}
        self.pointers = _addressed(plan)

    def keep(self, name: str, value: Any) -> str:
        self.names[name] = value
        return name

    def functions(self) -> str:
        """Both functions: `guarded`, and `core`, which is not."""
        parameters = ", ".join(f"a{index}" for index in range(len(self.args)))
        steps = [*self.steps(), f"return {self.result(self.plan.result)}"]
        conditions, misaligned = self.conditions(), self.misaligned()
        otherwise = f"return other({parameters})"
        guarded = [f"if not ({' and '.join(conditions)}):", f"    {otherwise}"] if conditions else []
        guarded += self.read_addresses()
        guarded += [f"if {misaligned}:", f"    {otherwise}"] if misaligned else []
        rows = [f"def guarded({parameters}):", *_indented([*guarded, *steps])]
        rows += [f"def core({parameters}):", *_indented([*self.read_addresses(), *steps])]
        return "\n".join(rows) + "\n"

    # --- the guard -------------------------------------------------------------------------------------------

    def conditions(self) -> list[str]:
        """The conditions of the guard, cheapest first: device, tuple lengths, constants, then all tensors at once."""
        found = []
        if self.plan.device.type == "cuda":
            self.keep("current_device", torch._C._cuda_getDevice)
            found.append(f"current_device() == {self.plan.device.index}")
        for text, length in arities(self.args):
            found.append(f"type({text}) in (tuple, list) and len({text}) == {length}")
        for index, leaf in enumerate(self.leaves):
            if not leaf.is_tensor:
                name = self.keep(f"k{index}", leaf.value)
                found.append(f"({leaf.text} is {name} or same({leaf.text}, {name}))")
        if self.tensors:
            found.append(f"check({', '.join(leaf.text for leaf in self.tensors)})")
        return found

    def misaligned(self) -> str:
        """True where Triton would have compiled another kernel."""
        bases = sorted(
            {
                address.base
                for step in self.plan.steps
                if isinstance(step, DeviceLaunch) and step.aligned
                for address in step.addresses
                if address.base < self.plan.inputs
            }
        )
        rests = {base: self.tensors[base].value.data_ptr() % ALIGNMENT for base in bases}
        even = [f"p{base}" for base in bases if not rests[base]]
        found = [f"({' | '.join(even)}) & {ALIGNMENT - 1}"] if even else []
        return " or ".join(found + [f"p{base} & {ALIGNMENT - 1} != {rests[base]}" for base in bases if rests[base]])

    def read_addresses(self) -> list[str]:
        return [f"p{base} = {self.base(base)}.data_ptr()" for base in self.pointers if base < self.plan.inputs]

    # --- the steps -------------------------------------------------------------------------------------------

    def steps(self) -> list[str]:
        rows = []
        if any(isinstance(step, DeviceLaunch) for step in self.plan.steps):
            self.keep("stream_of", raw_stream)
            rows.append(f"stream = stream_of({self.plan.device.index})")
        for number, step in enumerate(self.plan.steps):
            rows += self.step(number, step)
        return rows

    def step(self, number: int, step: Any) -> list[str]:
        match step:
            case Allocate():
                return [f"b{step.base} = {self.allocation(step)}", *self.address_of(step.base)]
            case Fill():
                zero = step.value.text in ("0", "0.0", "False")
                call = ".zero_()" if zero else f".fill_({step.value.text})"
                return [f"{self.tensor(step.target)}{call}"]
            case Clone():
                layout = self.keep(f"m{number}", step.memory_format)
                self.keep("clone", torch.clone)
                extra = f", memory_format={layout}" if step.memory_format is not None else ""
                return [f"b{step.base} = clone({self.tensor(step.source)}{extra})", *self.address_of(step.base)]
            case HostCall():
                name = self.keep(f"f{number}", step.function)
                return [f"{name}({', '.join(self.argument(value) for value in step.arguments)})"]
            case DeviceLaunch():
                prepared = step.launcher.prepare()
                self.keep(f"o{number}", prepared.owner)
                name = self.keep(f"f{number}", prepared.call)
                given = ["stream", *(self.argument(value) for value in step.addresses)]
                return [f"{name}({', '.join(given)})"]
        raise AssertionError(step)

    def allocation(self, step: Allocate) -> str:
        dtype = self.keep(f"t{step.base}", step.dtype)
        size, stride = _numbers(step.size), _numbers(step.stride)
        quick = getattr(_GUARDS, f"_empty_strided_{step.device.type}", None)
        if quick is not None and step.device == self.plan.device:
            self.keep("empty", quick)
            self.keep("empty_seen", _dispatched(step.device))
            return f"empty({size}, {stride}, {dtype})"
        self.keep("empty_strided", torch.empty_strided)
        device = self.keep(f"d{step.base}", step.device)
        return f"empty_strided({size}, {stride}, dtype={dtype}, device={device})"

    def address_of(self, base: int) -> list[str]:
        return [f"p{base} = b{base}.data_ptr()"] if base in self.pointers else []

    def argument(self, value: Address | Constant) -> str:
        if isinstance(value, Constant):
            return value.text
        return f"p{value.base} + {value.offset}" if value.offset else f"p{value.base}"

    def base(self, number: int) -> str:
        return self.tensors[number].text if number < self.plan.inputs else f"b{number}"

    def tensor(self, view: ReplayView) -> str:
        """An expression for a view. For the whole base, it is the base itself."""
        name = self.base(view.base)
        if _is_whole(view, self.plan, self.tensors):
            return name
        size, stride = _numbers(view.size), _numbers(view.stride)
        if view.base >= self.plan.inputs and hasattr(_GUARDS, "_reinterpret_tensor"):
            self.keep("reinterpret", _GUARDS._reinterpret_tensor)
            return f"reinterpret({name}, {size}, {stride}, {view.offset})"
        offset = f"{name}.storage_offset() + {view.offset}"
        return f"{name}.as_strided({size}, {stride}, {offset})"

    def result(self, result: Result) -> str:
        if isinstance(result, ReplayView):
            return self.tensor(result)
        if isinstance(result, Many):
            items = "".join(f"{self.result(item)}, " for item in result.items)
            return f"[{items}]" if result.kind is list else f"({items})"
        return "None"


def build(plan: ReplayPlan, args: Arguments, name: str, check: Callable[..., bool], other: Wrapper) -> Built:
    """The guarded function, under this name, and its unguarded core. `args` are those of the recorded call.

    `check` decides about the tensors. `other` answers calls that it refuses.
    """
    source = ReplaySource(plan, args)
    text = source.functions()
    space = source.names | {"check": check, "other": other, "__name__": __name__}
    exec(compile(text, "<replay>", "exec"), space)
    space["guarded"].__name__ = name if type(name) is str else "replay"
    if "empty" in space:
        registry.replays.add(space["core"])
    return Built(space["guarded"], space["core"], text, space)


@dataclass(frozen=True)
class Built:
    """The functions built from a plan. `space` holds the objects that they name. Its `check` may be replaced."""

    call: Wrapper
    core: Wrapper
    text: str
    space: dict[str, Any]


def _dispatched(device: torch.device) -> Callable[..., torch.Tensor]:
    """What `empty` does, by an operator that a dispatch mode sees."""

    def empty(size: tuple[int, ...], stride: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(size, stride, dtype=dtype, device=device)

    return empty


def _addressed(plan: ReplayPlan) -> frozenset[int]:
    """The bases whose addresses kernels get."""
    given: list[Address | Constant] = []
    for step in plan.steps:
        if isinstance(step, HostCall):
            given += step.arguments
        elif isinstance(step, DeviceLaunch):
            given += step.addresses
    return frozenset(value.base for value in given if isinstance(value, Address))


def _is_whole(view: ReplayView, plan: ReplayPlan, tensors: Sequence[Leaf]) -> bool:
    if view.base < plan.inputs:
        whole = tensors[view.base].value
        return view.offset == 0 and view.size == tuple(whole.shape) and view.stride == whole.stride()
    for step in plan.steps:
        if isinstance(step, Allocate) and step.base == view.base:
            return (view.offset, view.size, view.stride) == (0, step.size, step.stride)
        if isinstance(step, Clone) and step.base == view.base:
            return step.whole == view
    raise NotFrozen("returns memory that no step made")


def _numbers(values: Sequence[int]) -> str:
    return f"({''.join(f'{value}, ' for value in values)})"


def _indented(rows: Sequence[str]) -> list[str]:
    return [f"    {row}" for row in rows]


def _same(value: object, wanted: object) -> bool:
    """Equal and of one type: 1, 1.0 and True give different launches."""
    return type(value) is type(wanted) and bool(value == wanted)
