"""The run-time guard in the worker: it runs wrappers under a recorder of dispatched operators and inspects results.

Everything by which it decides is fixed when this module is imported, before any pass is. Tables lie in closures.
`seal` tells whether a function or a name that the guard needs has been replaced since.

Plain tensors go in and the wrapper is called as always. So a pass cannot tell a guarded call by its arguments. The
notes are a claim of a process that runs untrusted code. They may convict a pass and never clear one.
"""

from __future__ import annotations

import copy
import functools
import math
import random
import sys
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import torch
from torch import fx
from torch.utils import _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from passnet.bench.wire import places
from passnet.bench.wire.places import Footprint
from passnet.bench.wire.replies import Note, OutputFacts
from passnet.bench.worker import argument_windows
from passnet.bench.worker.argument_windows import ArgumentWindows
from passnet.op_classes import ATEN_VIEWS, CREATION, word_set
from passnet.rewrite.apply.replace import leaves
from passnet.rewrite.rules import kept_memory
from passnet.rewrite.rules.kept_memory import held_memory, modules_of, typing_uses

if TYPE_CHECKING:
    from passnet.rewrite import Operator

# A program should return a sequence of tensors, but this is not certain.
Outputs = Any


@dataclass(frozen=True)
class Wrapper:
    """A replaced call. `written`: places of the arguments into which it may write, see `Replacement`."""

    name: str
    written: tuple[int, ...] = ()


# Runs a wrapper in its place: the function, positional and named arguments -> the function's result.
Observer = Callable[[Wrapper, Callable[..., object], tuple[object, ...], dict[str, object]], object]
_KEPT_RESULTS = 4
_MOST_NOTES = 20
# Operators that allocate, change the view, or copy the same values to a new layout. All others compute.
_ALLOWED = (
    CREATION
    | ATEN_VIEWS
    | word_set("scalar_tensor lift_fresh view_as_real view_as_complex clone contiguous zero_ fill_ promote_types")
)
ALLOWED_OPERATORS = frozenset(f"aten.{name}" for name in _ALLOWED)


def _keeps_values(source: torch.Tensor, dtype: torch.dtype | None) -> bool:
    """Whether a conversion keeps the numbers that it was given, up to rounding. All other conversions are arithmetic.

    A conversion to bool compares with zero. From floating point to integers it truncates. From complex it drops a
    part. From integers to small ones it takes a remainder. 32 bits are enough for an index.
    """
    given, wanted = kinds = (source.dtype, dtype or source.dtype)
    before, after = ((kind is not torch.bool) + kind.is_floating_point + 2 * kind.is_complex for kind in kinds)
    if before != after or before != 1 or wanted.itemsize >= torch.int32.itemsize:  # 1: both are integers
        return before <= after
    wider = wanted.itemsize - given.itemsize
    return wanted.is_signed >= given.is_signed and wider >= (wanted.is_signed != given.is_signed)


def _recorder(
    allowed: frozenset[str], keeps_values: Callable[[torch.Tensor, torch.dtype | None], bool]
) -> Callable[[str, list[Note]], TorchDispatchMode]:
    """Makes recorders. They note operators that are not in `allowed`, and run them.

    A copy to another dtype or device is allowed where it keeps the values.
    """

    class OperatorRecorder(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch annotates it so
        def __init__(self, wrapper: str, notes: list[Note]) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.wrapper, self.notes = wrapper, notes

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            """No frames of torch's around `__torch_dispatch__`: they would keep the arguments alive, see there."""
            return False

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = str(getattr(func, "overloadpacket", func))
            converts = name == "aten._to_copy" and keeps_values(args[0], (kwargs or {}).get("dtype"))
            if name not in allowed and not converts:
                self.notes.append(("library_call", f"wrapper {self.wrapper} called {name}"))
            try:
                return func(*args, **(kwargs or {}))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is raised again
                # A traceback with this frame would keep the arguments alive. A pass could tell that by what it gets
                # when it allocates next.
                del args, kwargs
                raise error.with_traceback(None) from None

    return OperatorRecorder


_Recorder = _recorder(ALLOWED_OPERATORS, _keeps_values)


def seal(*owners: Any, single: Sequence[tuple[Any, str]] = ()) -> Callable[[], list[str]]:
    """A function that says what was replaced in modules and classes since this call. It reads no global name.

    It checks their functions, classes and tables. Of functions it also checks code, defaults and cells. `single`
    are attributes of owners that are otherwise free to change. Call this before a pass is loaded, and keep the
    result in a local variable.
    """
    named = [(owner, name) for owner in owners for name, value in vars(owner).items() if isinstance(value, _SEALED)]
    before = [(owner, name, getattr(owner, name), _inner(getattr(owner, name))) for owner, name in (*named, *single)]
    read, inner, whole, missing = getattr, _inner, _whole, object()

    def changed() -> list[str]:
        found = []
        for owner, name, value, parts in before:
            now = read(owner, name, missing)
            if (whole(now), *inner(now)) != (whole(value), *parts):
                found.append(f"{owner.__name__}.{name}")
        return found

    return changed


_SEALED = (FunctionType, staticmethod, classmethod, type, frozenset, tuple)


def _whole(value: Any) -> Any:
    """The object itself. A method object is made again at each read, so its function stands for it."""
    return getattr(value, "__func__", value)


def _inner(value: Any) -> tuple[Any, ...]:
    """The parts of a function beside its identity."""
    function = getattr(value, "__func__", value)
    if not isinstance(function, FunctionType):
        return ()
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    return (function.__code__, function.__defaults__, function.__kwdefaults__, *cells)


@dataclass
class Guard:
    """The guarded twin of a program, with its notes. It inspects `share` of the calls, chosen with no known seed."""

    forward: Callable[..., Any]
    switch: _Switch
    notes: list[Note]
    earlier: deque[list[torch.Tensor]] = field(default_factory=lambda: deque(maxlen=_KEPT_RESULTS))
    chance: random.Random = field(default_factory=random.SystemRandom)
    modules: tuple[ModuleType, ...] = ()
    arguments: ArgumentWindows = field(default_factory=ArgumentWindows)
    recorders: dict[str, TorchDispatchMode] = field(default_factory=dict)
    used: bool = False

    @classmethod
    def round(cls, module: fx.GraphModule, calls: Mapping[str, tuple[int, ...]]) -> Guard:
        """A twin of `module` in which the nodes named in `calls` run their wrappers under the recorder. The places of
        arguments into which each may write are given with it.
        """
        notes: list[Note] = []
        switch = _Switch()
        graph = copy.deepcopy(module.graph)
        wrappers = []
        for node in graph.nodes:
            if node.name in calls:
                wrappers.append(node.target)
                node.target = _watched(node.target, switch, calls[node.name])
        return cls(fx.GraphModule(module, graph).forward, switch, notes, modules=modules_of(wrappers))

    @classmethod
    def inside(cls, forward: Callable[..., Any], operators: Collection[Operator]) -> Guard:
        """The same for a compiled program. Its wrappers run as operators, and these are watched in their places."""
        from passnet.rewrite.inductor.operators import running

        notes: list[Note] = []
        switch = _Switch()
        watched = {
            each.name: each.watched(functools.partial(_watched_inside, each, switch, notes)) for each in operators
        }

        def guarded(*inputs: torch.Tensor) -> Any:
            with running(watched), UNFELT:
                return forward(*inputs)

        return cls(guarded, switch, notes)

    def caller(self, share: float, expected: OutputFacts, sizes: Sequence[int]) -> Callable[..., Any]:
        """The function that a guarded block calls. Memory for results is overwritten before some calls.

        These are as many as are guarded, and drawn apart. A kernel can read memory before it writes there, and would
        know by what lies there that its call is guarded.

        Operators of the very first call are not recorded, because an autotuner may measure in it with its own
        operators.
        """
        forward = self.forward
        self.earlier.clear()

        def call(*inputs: torch.Tensor) -> Any:
            looked_at = self.chance.random() < share
            self.switch.observer = self._record if looked_at and self.used else None
            self.used = True
            if self.chance.random() < share:
                poison_heap(sizes, inputs[0].device if inputs else torch.device("cpu"))
            with UNFELT:
                outputs = forward(*inputs)
            if looked_at:
                self._look_over(outputs, inputs, expected)
            return outputs

        return call

    def observed(self, observer: Observer) -> Callable[..., Any]:
        """The program with an observer round each of its wrappers."""

        def call(*inputs: torch.Tensor) -> Any:
            self.switch.observer = observer
            with UNFELT:
                return self.forward(*inputs)

        return call

    def take_notes(self) -> list[Note]:
        """The notes since the last time, each once. The first ones say whether the guard itself was changed."""
        changed: list[Note] = [("guard_changed", f"{what} was exchanged") for what in guard_changed()]
        kept: list[Note] = [("kept_state", line) for line in held_memory(self.modules)]
        found = list(dict.fromkeys([*changed, *kept, *self.notes]))[:_MOST_NOTES]
        self.notes.clear()
        return found

    def _record(
        self, wrapper: Wrapper, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        before, name = typing_uses(), wrapper.name
        self.arguments.keep(args, wrapper.written)
        recorder = self.recorders.get(name)
        if recorder is None:  # one for all calls: what is made in a call takes a place that the pass would get
            recorder = self.recorders[name] = _Recorder(name, self.notes)
        try:
            with recorder, UNFELT:
                result = function(*args, **kwargs)
        except BaseException:
            self.arguments.changed()  # nothing of a call that failed is held
            raise
        if typing_uses() != before:
            self.notes.append(("kept_state", f"wrapper {name} asked a cache of typing, which outlives the call"))
        self.notes += [
            ("argument_mutation", f"wrapper {name} wrote into argument {place}; the pattern does not")
            for place in self.arguments.changed()
        ]
        return result

    def _look_over(self, outputs: Any, inputs: Sequence[torch.Tensor], expected: OutputFacts) -> None:
        given = {address(t) for t in inputs if t.numel()}
        kept = {address(t) for result in self.earlier for t in result}
        plain, footprints = [], {}
        for index, value in enumerate(outputs):
            if type(value) is not torch.Tensor or value.layout is not torch.strided:
                self.notes.append(("tensor_subclass", f"output {index} is a {type(value).__name__}, no plain tensor"))
                continue
            if value.numel() and index not in expected.shared:
                if address(value) in given:
                    self.notes.append(("output_alias", f"output {index} shares memory with an input; eager's does not"))
                if address(value) in kept:
                    self.notes.append(("output_reuse", f"output {index} lies in memory that an earlier call returned"))
            if index not in expected.unready and (why := unreadiness(value)):
                self.notes.append(("tensor_subclass", f"output {index} {why}; eager's is a plain tensor"))
            if lazy := laziness(value, expected.least_places(index, value.shape)):
                self.notes.append(("lazy_output", f"output {index} {lazy}"))
            plain.append(value)
            footprints[index] = footprint_of(value)
        self.earlier.append(plain)
        indices = tuple(footprints)
        for first, second in places.close(tuple(footprints.values())):
            one, other = indices[first], indices[second]
            if expected.lie_apart(one, other) and places.share(footprints[one], footprints[other]):
                self.notes.append(("output_alias", f"outputs {one} and {other} share memory; eager's lie apart"))
                break


def output_facts(
    first: Sequence[torch.Tensor], second: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor]
) -> OutputFacts:
    """The facts from eager's call on `inputs` and its call on equal ones elsewhere. Both results are still alive."""
    given = {address(t) for t in inputs if t.numel()}
    starts = [(address(a), address(b)) for a, b in zip(first, second, strict=True)]
    shared = tuple(i for i, (a, b) in enumerate(starts) if a in given or a == b)
    unready = tuple(index for index, tensor in enumerate(first) if unreadiness(tensor))
    memories = places.memories([footprint_of(t) for t in first])
    return OutputFacts(shared, tuple(map(places_of, first)), memories, unready)


class _Unfelt:
    """While it is entered, code may recurse as deep as if the function that entered it were not there.

    A pass can count how deep it may still recurse. Without this it would know when it is watched.
    """

    def __enter__(self) -> None:
        sys.setrecursionlimit(sys.getrecursionlimit() + 1)

    def __exit__(self, *_: object) -> None:
        sys.setrecursionlimit(sys.getrecursionlimit() - 1)


UNFELT = _Unfelt()


class _Switch:
    """The observer of the current call, if there is one."""

    observer: Observer | None = None


def _watched(function: Callable[..., Any], switch: _Switch, written: tuple[int, ...]) -> Callable[..., Any]:
    watched = Wrapper(getattr(function, "__name__", type(function).__name__), written)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with UNFELT:
            if switch.observer is None:
                return function(*args, **kwargs)
            return switch.observer(watched, function, args, kwargs)

    return wrapper


def _watched_inside(
    operator: Operator, switch: _Switch, notes: list[Note], function: Callable[..., Any]
) -> Callable[..., Any]:
    """Watch a wrapper. An operator copies a result of another layout than eager's, so the wrapper's own result is seen
    here.
    """

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with UNFELT:
            returned = function(*args, **kwargs)
        values = returned if isinstance(returned, tuple | list) else (returned,)
        made, given = (list(filter(_is_tensor, leaves(part))) for part in (values, args))
        if operator.settled and operator.shared(made, given):
            notes.append(("output_alias", f"{operator.rule}: a result shares memory; the first call's results did not"))
        for value, wanted in zip(values, operator.results, strict=False):
            if not isinstance(value, torch.Tensor):
                continue
            if lazy := laziness(value, places.places(wanted.shape, wanted.stride)):
                notes.append(("lazy_output", f"{operator.rule}: the wrapper's result {lazy}"))
        return returned

    return _watched(wrapper, switch, operator.written)


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def address(tensor: torch.Tensor) -> int:
    """The address at which a tensor's storage begins."""
    return tensor.untyped_storage().data_ptr()


def footprint_of(tensor: torch.Tensor) -> Footprint:
    """Where the elements of a tensor lie."""
    return Footprint(tuple(tensor.shape), tensor.stride(), tensor.data_ptr(), tensor.element_size())


def places_of(tensor: torch.Tensor) -> int:
    """An upper bound on how many places the elements of a tensor have. Fewer than elements: some were not written."""
    return places.places(tensor.shape, tensor.stride())


def unreadiness(tensor: torch.Tensor) -> str | None:
    """Why a user's next step with a tensor may fail, outside of the mode in which it was made."""
    if tensor.is_inference():
        return "was made in inference mode, so writing to it raises"
    return "requires gradients, so writing to it raises" if tensor.requires_grad else None


def laziness(tensor: torch.Tensor, least: int) -> str | None:
    """What of a tensor was not written, by where its elements lie. Eager's have `least` places."""
    start, size = address(tensor), tensor.untyped_storage().nbytes()
    if not places.lies_within(footprint_of(tensor), start, start + size):
        return "reaches beyond its own memory"
    found = places_of(tensor)
    return f"lies in {found} places; eager's lies in {least}" if found < least else None


def poison_heap(sizes: Sequence[int], device: torch.device, fill: int = 0xFF) -> None:
    """Leave NaN bytes in free memory that will soon be allocated, so that no result is right by luck."""
    held = [torch.empty(size, dtype=torch.uint8, device=device).fill_(fill) for size in sizes for _ in range(2)]
    del held


class _PoisonedAllocations(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch annotates it so
    """Fills memory with a byte as it is allocated, whatever its size. An earlier call may have left right values in
    it: those of an output that is the same in every call.
    """

    def __init__(self, fill: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.fill = fill

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        if func.overloadpacket in _ALLOCATES and made.untyped_storage().nbytes():
            torch.empty(0, dtype=torch.uint8, device=made.device).set_(made.untyped_storage()).fill_(self.fill)
        return made


_ALLOCATES = frozenset(
    getattr(torch.ops.aten, name) for name in ("empty", "empty_strided", "empty_like", "new_empty", "new_empty_strided")
)


def poisoned(call: Callable[..., Any], sizes: Sequence[int], fill: int = 0xFF) -> Callable[..., Any]:
    """The same call, each time with memory full of the byte `fill` for its allocations.

    `sizes`: of memory that is allocated without the dispatcher, in bytes.
    """

    def with_poison(*inputs: torch.Tensor) -> Any:
        poison_heap(sizes, inputs[0].device if inputs else torch.device("cpu"), fill)
        with _PoisonedAllocations(fill), UNFELT:
            return call(*inputs)

    return with_poison


_READ = (
    "untyped_storage",
    "storage_offset",
    "stride",
    "numel",
    "shape",
    "layout",
    "data_ptr",
    "element_size",
    "is_inference",
    "requires_grad",
)
# Last, after everything above is defined.
guard_changed = seal(
    sys.modules[__name__], places, kept_memory, argument_windows, ArgumentWindows, Wrapper, Guard, OutputFacts,
    Footprint, _Recorder, _Unfelt, TorchDispatchMode,
    single=[
        *((torch.Tensor, name) for name in _READ),
        *((torch.UntypedStorage, name) for name in ("data_ptr", "nbytes")),
        *((places, name) for name in ("shares_memory", "asarray")),
        *((math, name) for name in ("gcd", "prod")),
        *((_python_dispatch, name) for name in ("_push_mode", "_pop_mode")),
        *((torch, name) for name in ("empty", "equal")),
        *((torch.Tensor, name) for name in ("copy_", "set_", "view")),
    ],
)  # fmt: skip
