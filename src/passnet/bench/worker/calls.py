"""The worker's side of a block: draws each call's inputs when due, makes the call when told to, delivers its outputs
or shows where they lie.

Calls are made plainly, under the run-time guard, under the profiler, or with kernels switched off. The controller
chooses which.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

from passnet.bench.wire import generator
from passnet.bench.wire.places import lie_alike
from passnet.bench.wire.replies import BlockDone, Note, SaidFailure, WrapperCall
from passnet.bench.wire.requests import CAPTURED, RunBlock, Variant
from passnet.bench.wire.shared_buffers import (
    DONE,
    DRAW,
    DUE,
    FAILED,
    GO,
    KEY,
    PLACE,
    READY,
    SLOT,
    STOP,
    SWEEP,
    SharedBuffers,
)
from passnet.bench.wire.staying import ShownOutput
from passnet.bench.worker import heap
from passnet.bench.worker.captured import CapturedCall
from passnet.bench.worker.compilers import Program
from passnet.bench.worker.elsewhere import elsewhere
from passnet.bench.worker.wrapper_guard import Outputs, poisoned
from passnet.graph.tensors.stored_bytes import as_stored

Tensors = Sequence[torch.Tensor]
# Taken before any pass is loaded. If a pass replaces these later, its replacement is not called.
_clock, _yield = time.perf_counter_ns, os.sched_yield
# At the end of its stack a pass would feel the frames of a recorder, which plain operators do not take. Going there
# takes a tenth of a second and more than any call saves. Frames of C overflow their stack before.
_LEVELS = 1_000_000
_synchronise: Callable[[], None] = getattr(torch._C, "_cuda_synchronize", lambda: None)


class OutputMismatch(Exception):
    """A program's outputs differ from the reference's in number, kind, dtype or shape."""

    def __init__(self, kind: SaidFailure, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass
class _LookedAt:
    """The function that a block calls, the places of its outputs, and what was seen in its calls."""

    call: Callable[..., Outputs]
    slots: Sequence[Tensors]
    notes: list[Note] = field(default_factory=list)
    activity: list[WrapperCall] = field(default_factory=list)
    skipped: int | None = None


def run(
    program: Program,
    buffers: SharedBuffers,
    request: RunBlock,
    device: str,
    held: Callable[[], list[Note]],
    replays: Mapping[Variant, CapturedCall],
) -> BlockDone:
    """Make the calls. Returns them, this process's own clock, and the notes.

    `held`: asked after the calls for more notes. `replays`: what was captured.
    """
    pads = [torch.empty(count, dtype=torch.uint8) for count in request.pads]
    gc.freeze()  # earlier objects must not make this process's collections longer than another's
    # No collection is in a timed call, and none tells by its coming that a recorder makes objects too.
    collects = gc.isenabled()
    gc.disable()
    levels = sys.getrecursionlimit()
    sys.setrecursionlimit(_LEVELS)
    try:
        with _looked_at(program, buffers, request, replays) as seen:
            due, draw = _due(buffers, request.yields), _drawing(buffers, device, request)
            kept = CAPTURED | {"null", "empty"}  # these deliver the same tensors in every call
            own = () if request.variant in kept else buffers.layout.overwritten
            call = elsewhere([seen.call, program.wrappers or seen.call], request.team) if request.team else seen.call
            done, span_us = run_due(buffers, call, seen.slots, device, request.yields, due, draw, own)
        notes = [*held(), *seen.notes] if program.guard is not None else []
        return BlockDone(
            calls=done, span_us=span_us, notes=tuple(notes), activity=tuple(seen.activity), skipped=seen.skipped
        )
    except RecursionError as error:
        buffers.control[FAILED] = 1
        raise error.with_traceback(None) from None  # a million frames take longer to tell than anybody waits
    except BaseException:  # any end of the block, an exit included: it is raised again for the caller to answer
        buffers.control[FAILED] = 1  # the controller watches the control page, not the channel, during a block
        raise
    finally:
        sys.setrecursionlimit(levels)
        if collects:
            gc.enable()
        del pads
        if buffers.layout.release:
            heap.give_back(device)


@contextmanager
def _looked_at(
    program: Program, buffers: SharedBuffers, request: RunBlock, replays: Mapping[Variant, CapturedCall]
) -> Iterator[_LookedAt]:
    """The function that a block calls. The findings are there after its calls have been made."""
    seen, guard = _LookedAt(*_callable(program, buffers, request.variant, replays)), program.guard
    sizes = [slot.nbytes for slot in buffers.slots[0]]
    if request.mode == "guarded" and guard is not None:
        seen.call = guard.caller(request.share, request.facts, sizes)
        yield seen
        seen.notes = guard.take_notes()
    elif request.mode == "profiled" and guard is not None:
        from passnet.bench.worker.kernel_trace import observer

        seen.call = guard.observed(observer(seen.activity))
        yield seen
    elif request.mode == "ghost":
        from passnet.kernels.ghost import ghosts

        with ghosts() as skipped:
            seen.call = poisoned(seen.call, sizes, request.fill)
            yield seen
            seen.skipped = skipped()
    else:
        yield seen


def ready(buffers: SharedBuffers) -> tuple[torch.Tensor, ...]:
    """Outputs that are there already, laid out as those of a call."""
    return tuple(
        torch.empty_strided(t.shape, t.stride(), dtype=t.dtype, device=t.device).copy_(t) for t in buffers.slots[0]
    )


def _callable(
    program: Program, buffers: SharedBuffers, variant: Variant, replays: Mapping[Variant, CapturedCall]
) -> tuple[Callable[..., Outputs], Sequence[Tensors]]:
    """The function to call and the places of its outputs. `null` delivers ready outputs. `empty` only synchronises.
    Replays deliver their outputs themselves.
    """
    if variant in CAPTURED:
        return replays[variant], [[]]
    if variant == "null":
        outputs = ready(buffers)
        return (lambda *_: outputs), buffers.slots
    if variant == "empty":
        return (lambda *_: ()), [[]]
    return (program.deployed if variant == "deployed" else program.call), buffers.slots


def run_due(
    buffers: SharedBuffers,
    call: Callable[..., Outputs],
    slots: Sequence[Tensors],
    device: str,
    yields: bool,
    due: Callable[[], bool],
    draw: Callable[[], object],
    overwritten: Sequence[int] = (),
) -> tuple[int, float]:
    """Make calls as they may be made, until the stop mark. Each call's outputs are delivered before it is shown done.

    `due`: waits until a call is due, or says no at the stop mark. `draw`: has its inputs drawn.
    Outputs that stay in this process are shown instead, and held until the next call is due.
    `overwritten`: outputs whose memory is overwritten after each call, outside its time. Whoever gets that memory
    again must not find there what is due once more. Nor on the stack, which is cleared before each call.
    Returns the calls, and the microseconds from the end of the first to the end of the last. The time is by this
    process's clock, and nobody relies on it.
    """
    control, places, shown = buffers.control, buffers.places, buffers.layout.shown
    on_cuda = device == "cuda"
    calls, first, last, go = 0, 0, 0, 0
    clear_stack = generator.stack_cleaner()
    given = {tensor.untyped_storage().data_ptr() for place in places for tensor in place}
    made: Outputs = ()
    outputs: Outputs = ()

    def let_go() -> None:
        nonlocal made, outputs
        if overwritten:
            _overwrite((each[index] for each in (made, outputs) for index in overwritten), given)
            if on_cuda:
                _synchronise()
        made = outputs = ()

    while due():
        if outputs:
            let_go()
        clear_stack()
        draw()
        while control[GO] == go:
            if yields:
                _yield()
        go = control[GO]
        if go == STOP:
            break
        if shown and slots[0]:
            made = call(*places[control[PLACE]])  # `show` may put what was made into another order
            outputs = show(made, shown, control)
        elif overwritten:
            outputs = made = call(*places[control[PLACE]])
            deliver(outputs, slots[control[SLOT] % len(slots)])
        else:  # outputs that nobody holds are freed within the call's time, as in a model
            deliver(call(*places[control[PLACE]]), slots[control[SLOT] % len(slots)])
        if on_cuda:
            _synchronise()
        last = _clock()  # before the controller knows: after that it may stop this process at any moment
        control[DONE] = go
        calls += 1
        if calls == 1:
            first = last
    if outputs:
        let_go()
    return calls, (last - first) / 1e3


def _overwrite(tensors: Iterable[torch.Tensor], given: Set[int]) -> None:
    """Fill all memory that was allocated with these tensors with NaN bytes, but for that of inputs.

    What an output is a slice of is filled too: there marks of a call were left behind the output, for the next one.
    """
    done = set(given)
    for tensor in tensors:
        storage = tensor.untyped_storage()
        start = storage.data_ptr()
        if start not in done and storage.nbytes():
            done.add(start)
            torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage).fill_(0xFF)


def _due(buffers: SharedBuffers, yields: bool) -> Callable[[], bool]:
    """A function that waits until a call is due, see `run_due`."""
    control, due = buffers.control, 0

    def is_due() -> bool:
        nonlocal due
        while control[DUE] == due:
            if yields:
                _yield()
        due = control[DUE]
        return due != STOP

    return is_due


def _drawing(buffers: SharedBuffers, device: str, request: RunBlock) -> Callable[[], object]:
    """A function that has the inputs of the call that is due drawn: by the drawer, or by this process."""
    control = buffers.control
    if request.drawn:
        assert buffers.bell is not None
        ring = buffers.bell.ringer()

        def have_drawn() -> None:
            ring()  # the drawer runs in this process's place, and sleeps again when this returns
            control[READY] = control[DUE]

        return have_drawn
    sweep = _sweeper(request.swept, device)

    def draw() -> None:
        buffers.drawer(control[DRAW], control[PLACE])(control[KEY], control[KEY + 1])
        if control[SWEEP]:
            sweep()
        control[READY] = control[DUE]

    return draw


def _sweeper(nbytes: int, device: str) -> Callable[[], None]:
    """A function that runs through this much memory of the process, so that its caches hold nothing else."""
    if not nbytes:
        return lambda: None
    memory = torch.zeros(nbytes, dtype=torch.uint8, device=device)

    def sweep() -> None:
        memory.add_(1)
        if device == "cuda":
            _synchronise()

    return sweep


def deliver(outputs: Outputs, slot: Tensors) -> None:
    """Copy a call's outputs into the controller's memory, inside the timed span."""
    if len(outputs) != len(slot):
        raise OutputMismatch("shape_mismatch", f"expected {len(slot)} outputs, got {len(outputs)}")
    for index, (value, target) in enumerate(zip(outputs, slot, strict=True)):
        if value.dtype is not target.dtype or value.shape != target.shape:
            raise _mismatch(index, value, target.dtype, target.shape)
        as_stored(target).copy_(as_stored(value))


def show(outputs: Outputs, due: Sequence[ShownOutput], control: memoryview) -> Outputs:
    """Show on the control page where a call's outputs lie, inside the timed span. Returns what is to be held for that.

    Lazily conjugated and negated values are computed first. What does not lie in the order that is due is put into it:
    a user would do that in his next step.
    """
    if len(outputs) != len(due):
        raise OutputMismatch("shape_mismatch", f"expected {len(due)} outputs, got {len(outputs)}")
    if any(value.is_conj() or value.is_neg() for value in outputs):
        outputs = tuple(value.resolve_conj().resolve_neg() for value in outputs)
    held = []
    for index, (given, target) in enumerate(zip(outputs, due, strict=True)):
        if given.dtype is not target.dtype or given.shape != target.shape:
            raise _mismatch(index, given, target.dtype, target.shape)
        order = target.order
        value = given if order is None or given.stride() == order else _in_order(given, order)
        held.append(value)
        word = target.word
        control[word] = value.data_ptr()
        for step in value.stride():
            word += 1
            control[word] = step
    return tuple(held)


def _in_order(value: torch.Tensor, strides: tuple[int, ...]) -> torch.Tensor:
    """The same values with these strides, which have no gaps. The tensor itself where its elements lie so.

    Torch writes a turned copy in blocks only where what is written is contiguous.
    """
    if lie_alike(value.shape, value.stride(), strides):
        return value
    dims = sorted(range(value.dim()), key=strides.__getitem__, reverse=True)
    if dims == list(range(value.dim())):
        return as_stored(value).contiguous().view(value.dtype)
    made = as_stored(value).permute(dims).contiguous().view(value.dtype)
    return made.permute([dims.index(dim) for dim in range(value.dim())])


def _mismatch(index: int, value: torch.Tensor, dtype: torch.dtype, shape: Sequence[int]) -> OutputMismatch:
    if value.dtype is not dtype:
        return OutputMismatch("dtype_mismatch", f"output {index}: expected {dtype}, got {value.dtype}")
    found = f"output {index}: expected shape {tuple(shape)}, got {tuple(value.shape)}"
    return OutputMismatch("shape_mismatch", found)
