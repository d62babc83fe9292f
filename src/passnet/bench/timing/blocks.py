"""One block of calls, driven and clocked by the controller through the shared control page, call by call.

Each call has these steps. The call becomes due. Its inputs are drawn from its key: by the drawer, or where there is
none by the worker's trusted code. The controller starts its clock and lets the call be made. The outputs are
delivered. The controller stops its clock.

The inputs of a call exist nowhere before it is due. A worker may do other work between its calls, but then drawing
takes longer than it takes eager. The worker learns that a block has ended only when it meets the stop mark.
"""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.isolation.worker_process import Worker
from passnet.bench.wire import staying
from passnet.bench.wire.course import Course, DueCall, Now
from passnet.bench.wire.places import close, places, share
from passnet.bench.wire.replies import BlockDone, OutputFacts
from passnet.bench.wire.requests import CAPTURED, CAPTURED_PLACE, CAPTURED_SLOT, Mode, RunBlock, Variant
from passnet.bench.wire.shared_buffers import DUE, FAILED, GO, STOP, SharedBuffers
from passnet.bench.wire.staying import Memory
from passnet.errors import InfrastructureError
from passnet.graph.tensors.stored_bytes import copied, copied_whole

_WATCH_S = 0.0005
_SHORT_BLOCK_S = 0.5
# The least time that the drawer has for a draw.
_DRAWER_S = 60.0
# One of so many calls does not count: the slowest. Another process may have had the processor in it.
_SPARED = 8
_NOBODY = Key(0, (0, 0))
# No call counts as less than this share of a call in which nothing is computed. Less cannot be told from it.
RESOLUTION_SHARE = 0.25


@dataclass(frozen=True)
class BlockPlan:
    """`lead` calls that do not count, then `timed` ones, with the `apart` ones anywhere among them.

    `checked`: calls whose outputs the controller keeps. If `inputs` is set, it also keeps the inputs as the call
    left them.
    `most_kept`: of these, so many at most. Where there are more, chance decides afterwards which.
    `draw`: the draw of every call. Without it each call gets one of the timed draws.
    `apart`: calls that get the draw given here. They are kept too, and never count.
    `disturbed`: so many calls after a kept one do not count. They find other tables in the caches, and a core that did
    something else meanwhile.
    `again`: calls that get the key of an earlier call.
    `pads`: bytes of idle tensors held (`sizing.pads`).
    `swept`: bytes that are run through between drawing and a timed call, so that no cache holds the inputs.
    `mode`: plain, under the run-time guard, under the profiler, or with kernels switched off, and then memory is
    filled with the byte `fill` when a call gets it.
    `team`: calls are made in other threads than the main one, with teams of OpenMP of so many threads. Nothing of them
    is timed. 0: in the main thread, with the threads that it has.
    `share`: the share of the calls that are guarded, with `facts` about eager's outputs.
    `own`: outputs that stay with the worker must not lie in memory lent for inputs, nor in each other's, nor have fewer
    places than elements, unless eager's do by these facts.
    """

    variant: Variant
    lead: int
    timed: int
    checked: frozenset[int] = frozenset()
    inputs: bool = False
    most_kept: int | None = None
    draw: int | None = None
    apart: Mapping[int, int] = field(default_factory=dict)
    disturbed: int = 1
    again: Mapping[int, int] = field(default_factory=dict)
    pads: tuple[int, ...] = ()
    swept: int = 0
    mode: Mode = "plain"
    fill: int = 0xFF
    team: int = 0
    share: float = 1.0
    own: bool = False
    facts: OutputFacts = field(default_factory=OutputFacts)

    @property
    def calls(self) -> int:
        return self.lead + self.timed + len(self.apart)

    @property
    def counted(self) -> frozenset[int]:
        """The calls whose time counts. Keeping outputs disturbs the next calls, which count where no other is left."""
        timed = {c for c in range(self.lead, self.calls) if c not in self.apart}
        alike = {call for call in timed if not self._follows(call, self.apart.keys())} or timed
        return frozenset(call for call in alike if not self._follows(call, self.checked)) or frozenset(alike)

    def _follows(self, call: int, kept: Collection[int]) -> bool:
        return any(call - before in kept for before in range(1, self.disturbed + 1))

    def swept_before(self, call: int) -> int:
        """The bytes that are run through before this call."""
        return self.swept if call >= self.lead else 0


@dataclass(frozen=True)
class KeptCall:
    """A call that may be judged: its key and its outputs. If asked for, also its inputs as the call left them."""

    key: Key
    outputs: list[torch.Tensor]
    inputs: list[torch.Tensor] | None = None


@dataclass
class Block:
    """The result of a block: microseconds a call, and the kept calls.

    The times are of a call from go to done that nothing disturbed, of the quickest one, and from the end of a call to
    the next one's ready. `uneven_us`: what the mean of the calls takes beyond the first of these. `wait_us`: what that
    span adds to a call, without the drawer's own work, during which no worker runs. `holding_us`: what its part after
    that work adds, when the inputs are there. None without a drawer. Both are of undisturbed calls together with what
    they add, so work that is moved from the one to the other is in the sum. `by_draw`: draw and time of each call.
    `last`: key and place of the last call.
    `span_us`: the least and the most time that passed between the ends of the first and the last call. The bounds
    hold whatever interrupted the controller.
    `reply`: what the worker says.
    """

    us_per_call: float
    uneven_us: float = 0.0
    by_draw: tuple[tuple[int, float], ...] = ()
    least_us: float = 0.0
    draw_us: float = 0.0
    wait_us: float | None = None
    holding_us: float | None = None
    kept: dict[int, KeptCall] = field(default_factory=dict)
    last: tuple[Key, int] = (_NOBODY, 0)
    span_us: tuple[float, float] = (0.0, math.inf)
    reply: BlockDone = field(default_factory=BlockDone)

    @property
    def kept_bytes(self) -> int:
        """The memory of the kept outputs and inputs."""
        tensors = (tensor for kept in self.kept.values() for tensor in (*kept.outputs, *(kept.inputs or ())))
        return sum(tensor.nbytes for tensor in tensors)


def run(
    worker: Worker, buffers: SharedBuffers, given: SecretInputs, plan: BlockPlan, rng: random.Random, timeout_s: float
) -> Block:
    """Run one block on an awake worker. WorkerFailure as `Worker.answer` raises it.

    InfrastructureError where the drawer does not draw: that is not the worker's fault.
    """
    buffers.reset()
    buffers.poison_all()
    if buffers.layout.device != "cpu":
        torch.cuda.synchronize()
    # With one core for both sides, a spinning side must yield. Otherwise the other side waits for the scheduler's
    # slice.
    crowded = plan.team > 0 or (worker.options.cpus == () and len(os.sched_getaffinity(0)) < 2)
    request = RunBlock(
        variant=plan.variant, mode=plan.mode, fill=plan.fill, share=plan.share, facts=plan.facts, yields=crowded,
        team=plan.team, pads=plan.pads, swept=0 if buffers.drawn else plan.swept, drawn=buffers.drawn is not None,
    )  # fmt: skip
    driver = _Driver(worker, buffers, given, plan, rng, timeout_s, request)
    worker.send(request)
    block = driver.drive()
    block.reply = worker.answer(request, timeout_s)
    return block


def lower_quartile(times: Sequence[float]) -> float:
    """What undisturbed calls take. What disturbs a call adds to its time, and on a shared machine it does so often."""
    return sorted(times)[(len(times) - 1) // 4]


def _added(calls: Sequence[int], spans: Sequence[int], drawn: bool) -> float | None:
    """The microseconds that these spans add to an undisturbed call. None without a drawer."""
    if not drawn:
        return None
    return (
        lower_quartile([call + span for call, span in zip(calls, spans, strict=True)]) - lower_quartile(calls)
    ) / 1e3


def typical(times_ns: Sequence[int]) -> float:
    """The mean in microseconds, without the slowest eighth. So work cannot be hidden in a few of many calls."""
    kept = sorted(times_ns)[: len(times_ns) - len(times_ns) // _SPARED]
    return sum(kept) / len(kept) / 1e3


class _Driver:
    """Has the calls made, keeps chosen outputs, watches the worker meanwhile."""

    def __init__(
        self,
        worker: Worker,
        buffers: SharedBuffers,
        given: SecretInputs,
        plan: BlockPlan,
        rng: random.Random,
        timeout_s: float,
        request: RunBlock,
    ) -> None:
        self.worker, self.buffers, self.plan, self.request, self.rng = worker, buffers, plan, request, rng
        self.drawn = buffers.drawn is not None
        self.began, self.limit_s = time.monotonic(), timeout_s
        self.keys: list[Key] = []
        for call in range(plan.calls):
            draw = plan.apart.get(call, plan.draw)
            self.keys.append(self.keys[plan.again[call]] if call in plan.again else given.key(draw))
        self.calls = [self._due(call, rng) for call in range(plan.calls)]
        self.on_host = buffers.layout.device == "cpu"
        # Looking into another process takes microseconds. So it is done after every call of every side.
        kept = plan.checked | set(plan.apart)
        looked_at = range(plan.calls) if buffers.layout.stays else kept
        watched = {call: self._kept_tensors(call) for call in looked_at} if self.on_host else {}
        self.course = Course(buffers, self.calls, request.yields, watched, worker.inner_pid, kept)
        self.kept: dict[int, KeptCall] = {}

    def _due(self, call: int, rng: random.Random) -> DueCall:
        buffers, key = self.buffers, self.keys[call]
        place, slot = rng.randrange(len(buffers.places)), rng.randrange(len(buffers.slots))
        if self.plan.variant in CAPTURED:
            place, slot = CAPTURED_PLACE, CAPTURED_SLOT
        return DueCall(place, slot, key.draw, key.words, self.plan.swept_before(call))

    def drive(self) -> Block:
        """Make all calls, then set the stop mark."""
        control, plan = self.buffers.control, self.plan
        began = time.perf_counter_ns()
        for call in sorted(plan.checked | set(plan.apart)):
            self._keep(call)
        self._made(plan.calls)
        ended = time.perf_counter_ns()
        control[DUE] = control[GO] = STOP
        if self.buffers.is_scribbled_on():
            raise self.worker.misbehaved("wrote to the control page where nobody does", "guard_changed")
        times, counted = self.course.times(), sorted(plan.counted)
        calls = [times[call].done - times[call].told for call in counted]
        us_per_call = lower_quartile(calls) / 1e3
        return Block(
            us_per_call=us_per_call,
            uneven_us=typical(calls) - us_per_call,
            by_draw=tuple((self.keys[call].draw, ns / 1e3) for call, ns in zip(counted, calls, strict=True)),
            least_us=min(calls) / 1e3,
            draw_us=typical([times[call].drawing for call in counted]),
            wait_us=_added(calls, [times[call].drawing - times[call].drawer for call in counted], self.drawn),
            holding_us=_added(calls, [times[call].holding for call in counted], self.drawn),
            kept=self.kept,
            last=(self.keys[-1], self.calls[-1].place),
            span_us=(max(0, times[-1].told - times[0].done) / 1e3, (ended - began) / 1e3),
        )

    def _made(self, end: int, stops: int = 0) -> None:
        """The calls before this one are made. As long as the worker lets the controller wait, it is watched. `stops`: a
        group of processes that is stopped then.
        """
        while (now := self.course.go_on(end, _WATCH_S, stops)) is not Now.MADE:
            if now is Now.UNASKED:
                raise self.worker.misbehaved("claimed on the control page what it was not asked for")
            self._watch()

    def _kept_tensors(self, call: int) -> list[torch.Tensor]:
        due, stays = self.calls[call], self.buffers.layout.stays
        outputs = [] if stays else self.buffers.slots[due.slot]
        return [*outputs, *(self.buffers.places[due.place] if self.plan.inputs else ())]

    def _keep(self, call: int) -> None:
        """Have the calls made up to this one, and keep its outputs. WorkerDead where they change once it is shown done.

        Who learns afterwards that a call is kept must not be able to finish it then, and to leave others unfinished. On
        a CPU the worker sleeps from the end of the call on, or all is copied at once where it is little. On a GPU that
        would not stop a kernel.
        """
        if not self.on_host or self.course.is_copied_whole(call):
            self._made(call + 1)
            self._copy(call)
            return
        try:
            self._made(call + 1, self.worker.pid)
            with self.worker.held():
                self._copy(call)
                self.course.leave_core()  # before it goes on
        finally:
            self.course.leave_core()

    def _copy(self, call: int) -> None:
        """Keep what a call that is done gave. WorkerDead where it is not what it was at its end."""
        place, stays = self.buffers.places[self.calls[call].place], self.buffers.layout.stays
        copy = copied_whole if self.on_host else copied
        try:
            if stays:
                self._look_how_far(call)
            if stays and self.plan.own:
                self._look_where(call)
            outputs = self.course.outputs(call) if stays else list(map(copy, self.buffers.slots[self.calls[call].slot]))
        except staying.Unreadable as error:
            raise self.worker.misbehaved(f"showed what is not there: {error}") from error
        inputs = list(map(copy, place)) if self.plan.inputs else None
        if not self.on_host:
            torch.cuda.synchronize()
        elif changed := self.course.changed(call, outputs, [*(() if stays else outputs), *(inputs or ())]):
            wrote = f"wrote {changed} of the watched bytes after it had shown a call done"
            raise self.worker.misbehaved(wrote, "late_output")
        self.kept[call] = KeptCall(self.keys[call], outputs, inputs)
        if call in self.plan.checked and self.plan.most_kept is not None:
            self._drop_one(call, self.plan.most_kept)

    def _look_how_far(self, call: int) -> None:
        """WorkerDead where outputs reach beyond all memory. There a step of 2^64 bytes leads nowhere, so a block that
        was written once is read again and again.
        """
        for index, (output, address, strides) in enumerate(self.course.places(call)):
            if not staying.may_lie(output.footprint(address, strides)):
                beyond = f"showed output {index} beyond all memory, at {address:#x} with the strides {tuple(strides)}"
                raise self.worker.misbehaved(beyond, "lazy_output")

    def _look_where(self, call: int) -> None:
        """WorkerDead where outputs lie in what was lent for inputs, or in each other, or in fewer places than eager's.

        Reading a copy of them would do the work that the worker left undone. Memory that may have several addresses is
        no place for them: there a block written once is shown as many. staying.Unreadable where no memory is.
        """
        try:
            facts, mapped = self.plan.facts, staying.MemoryMap.of(self.worker.inner_pid)
        except OSError as error:
            raise self.worker.misbehaved(f"showed outputs and cannot be looked at: {error.strerror}") from error
        footprints, foreign = [], self.course.in_foreign_pages(call)
        for index, (output, address, strides) in enumerate(self.course.places(call)):
            where = staying.lies_in(mapped, output, address, strides)
            if index not in facts.shared and Memory.LENT in where:
                shares = f"showed output {index} in {Memory.LENT}; eager's is not"
                raise self.worker.misbehaved(shares, "output_alias")
            if Memory.OTHER in where or (index in foreign and index not in facts.shared):
                raise self.worker.misbehaved(f"showed output {index} in {Memory.OTHER}", "lazy_output")
            if Memory.NONE in where:
                raise staying.Unreadable(f"a part of output {index}")
            found, least = places(output.shape, strides), facts.least_places(index, output.shape)
            if found < least:
                fewer = f"showed output {index} in {found} places; eager's lies in {least}"
                raise self.worker.misbehaved(fewer, "lazy_output")
            footprints.append(output.footprint(address, strides))
        for one, other in close(footprints):
            if facts.lie_apart(one, other) and share(footprints[one], footprints[other]):
                together = f"showed outputs {one} and {other} in the same memory; eager's lie apart"
                raise self.worker.misbehaved(together, "output_alias")

    def _drop_one(self, newest: int, most: int) -> None:
        """Where too many are kept, drop one of them, so that each of those so far stays by the same chance."""
        kept = [call for call in self.kept if call in self.plan.checked]
        if len(kept) > most:
            so_far = sum(call <= newest for call in self.plan.checked)
            stays = self.rng.random() < most / so_far
            del self.kept[self.rng.choice(kept[:-1]) if stays else newest]

    def _watch(self) -> None:
        if self.buffers.control[FAILED] or self.worker.ended():
            self.worker.answer(self.request, 5.0)  # raises what the worker says of the failure, or how it ended
            raise self.worker.misbehaved("answered that a block was done whose calls were not")
        passed = time.monotonic() - self.began
        self.worker.watch(usage=passed > _SHORT_BLOCK_S)
        if passed > self.limit_s:
            self._look_who_is_late(passed)

    def _look_who_is_late(self, passed: float) -> None:
        """WorkerDead where the calls have taken longer than the limit. InfrastructureError where one draw has.

        What the drawer takes is not the worker's, and what earlier calls took is not the drawer's.
        """
        most_s = max(self.limit_s, _DRAWER_S)
        if self.course.awaits_drawer_s > most_s:
            raise InfrastructureError(f"the inputs of a call were not drawn within {most_s:g} s: the drawer is lost")
        if passed - self.course.drawer_s > self.limit_s:
            raise self.worker.overdue(self.limit_s)
