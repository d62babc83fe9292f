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
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch

from passnet.bench.isolation.worker_process import Worker
from passnet.bench.timing.draws import Key, SecretInputs
from passnet.bench.wire.replies import BlockDone, OutputFacts
from passnet.bench.wire.requests import CAPTURED, CAPTURED_PLACE, CAPTURED_SLOT, Mode, RunBlock, Variant
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

_WATCH_SPINS = 2000
_SHORT_BLOCK_S = 0.5
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
    `draw`: the draw of every call. Without it each call gets one of the timed draws.
    `apart`: calls that get the draw given here. They are kept too, and never count. Neither does the call after one,
    which finds the tables of another draw in the caches.
    `again`: calls that get the key of an earlier call.
    `pads`: bytes of idle tensors held (`sizing.pads`).
    `swept`: bytes that are run through between drawing and a timed call, so that no cache holds the inputs.
    `mode`: plain, under the run-time guard, under the profiler, or with kernels switched off, and then memory is
    filled with the byte `fill` when a call gets it.
    `share`: the share of the calls that are guarded, with `facts` about eager's outputs.
    """

    variant: Variant
    lead: int
    timed: int
    checked: frozenset[int] = frozenset()
    inputs: bool = False
    draw: int | None = None
    apart: Mapping[int, int] = field(default_factory=dict)
    again: Mapping[int, int] = field(default_factory=dict)
    pads: tuple[int, ...] = ()
    swept: int = 0
    mode: Mode = "plain"
    fill: int = 0xFF
    share: float = 1.0
    facts: OutputFacts = field(default_factory=OutputFacts)

    @property
    def calls(self) -> int:
        return self.lead + self.timed + len(self.apart)

    @property
    def counted(self) -> frozenset[int]:
        """The calls whose time counts. Keeping outputs disturbs the next call, which counts where no other is left."""
        timed = {c for c in range(self.lead, self.calls) if c not in self.apart and c - 1 not in self.apart}
        return frozenset(call for call in timed if call - 1 not in self.checked) or frozenset(timed)

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

    The times are of a call from go to done that nothing disturbed, of the quickest one, and from due to drawn.
    `uneven_us`: what the mean of the calls takes beyond the first of these. `by_draw`: draw and time of each call.
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
    kept: dict[int, KeptCall] = field(default_factory=dict)
    last: tuple[Key, int] = (_NOBODY, 0)
    span_us: tuple[float, float] = (0.0, math.inf)
    reply: BlockDone = field(default_factory=BlockDone)

    @property
    def kept_bytes(self) -> int:
        """The memory of the kept outputs."""
        return sum(tensor.nbytes for kept in self.kept.values() for tensor in kept.outputs)


def run(
    worker: Worker, buffers: SharedBuffers, given: SecretInputs, plan: BlockPlan, rng: random.Random, timeout_s: float
) -> Block:
    """Run one block on an awake worker. WorkerFailure as `Worker.answer` raises it."""
    buffers.reset()
    buffers.poison_all()
    if buffers.layout.device != "cpu":
        torch.cuda.synchronize()
    # With one core for both sides, a spinning side must yield. Otherwise the other side waits for the scheduler's
    # slice.
    crowded = worker.options.cpus == () and len(os.sched_getaffinity(0)) < 2
    request = RunBlock(
        variant=plan.variant, mode=plan.mode, fill=plan.fill, share=plan.share, facts=plan.facts, yields=crowded,
        pads=plan.pads, swept=0 if buffers.drawn else plan.swept, drawn=buffers.drawn is not None,
    )  # fmt: skip
    driver = _Driver(worker, buffers, given, plan, rng, timeout_s, request)
    worker.send(request)
    block = driver.drive()
    block.reply = worker.answer(request, timeout_s)
    return block


def lower_quartile(times: Sequence[float]) -> float:
    """What undisturbed calls take. What disturbs a call adds to its time, and on a shared machine it does so often."""
    return sorted(times)[(len(times) - 1) // 4]


def typical(times_ns: Sequence[int]) -> float:
    """The mean in microseconds, without the slowest eighth. So work cannot be hidden in a few of many calls."""
    kept = sorted(times_ns)[: len(times_ns) - len(times_ns) // _SPARED]
    return sum(kept) / len(kept) / 1e3


class _Driver:
    """Makes calls due, keeps chosen outputs, watches the clock."""

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
        self.worker, self.buffers, self.given, self.plan, self.rng = worker, buffers, given, plan, rng
        self.began = time.monotonic()
        self.request, self.crowded = request, request.yields
        self.limit_s = timeout_s
        self.deadline = self.began + timeout_s
        self.keys: list[Key] = []
        self.seen = {READY: 0, DONE: 0}
        self.block = Block(0.0)

    def drive(self) -> Block:
        """Make all calls, then set the stop mark."""
        control, plan, clock = self.buffers.control, self.plan, time.perf_counter_ns
        calls, of, draws = [], [], []
        first_done = last_go = 0
        counted = plan.counted
        began = clock()
        for call in range(plan.calls):
            place, slot = self._publish(call)
            draw_ns = self._drawn(call, place)
            go = secrets.randbits(62) | 1
            told = clock()
            control[GO] = go
            self._await(DONE, go)
            done = clock()
            if call in counted:
                calls.append(done - told)
                of.append(self.keys[-1].draw)
                draws.append(draw_ns)
            first_done, last_go = first_done or done, told
            self._keep(call, place, slot)
        ended = clock()
        control[DUE] = control[GO] = STOP
        self.block.us_per_call, self.block.draw_us = lower_quartile(calls) / 1e3, typical(draws)
        self.block.uneven_us = typical(calls) - self.block.us_per_call
        self.block.by_draw = tuple((draw, ns / 1e3) for draw, ns in zip(of, calls, strict=True))
        self.block.least_us = min(calls) / 1e3
        self.block.span_us = (max(0, last_go - first_done) / 1e3, (ended - began) / 1e3)
        return self.block

    def _publish(self, call: int) -> tuple[int, int]:
        """Set everything about a call, except that it is due."""
        control, buffers, plan = self.buffers.control, self.buffers, self.plan
        draw = plan.apart.get(call, plan.draw)
        key = self.keys[plan.again[call]] if call in plan.again else self.given.key(draw)
        self.keys.append(key)
        place, slot = self.rng.randrange(len(buffers.places)), self.rng.randrange(len(buffers.slots))
        if plan.variant in CAPTURED:
            place, slot = CAPTURED_PLACE, CAPTURED_SLOT
        control[PLACE], control[SLOT] = place, slot
        if buffers.drawn is None:
            control[DRAW] = key.draw
            control[KEY], control[KEY + 1] = key.words
            control[SWEEP] = plan.swept_before(call)
        self.block.last = key, place
        return place, slot

    def _drawn(self, call: int, place: int) -> int:
        """Have the inputs of the published call drawn. Returns the nanoseconds until they were."""
        key, drawn = self.keys[-1], self.buffers.drawn
        if drawn is not None:
            return round(drawn.draw(key.draw, place, key.words, self.plan.swept_before(call)) * 1e3)
        due = secrets.randbits(62) | 1
        began = time.perf_counter_ns()
        self.buffers.control[DUE] = due
        self._await(READY, due)
        return time.perf_counter_ns() - began

    def _await(self, word: int, value: int) -> None:
        control, spins = self.buffers.control, 0
        while (seen := control[word]) != value:
            if seen != self.seen[word]:
                raise self.worker.misbehaved("claimed on the control page what it was not asked for")
            spins += 1
            if self.crowded:
                os.sched_yield()
            if spins % _WATCH_SPINS == 0:
                self._watch()
        self.seen[word] = value

    def _keep(self, call: int, place: int, slot: int) -> None:
        if call in self.plan.checked or call in self.plan.apart:
            outputs = [t.clone() for t in self.buffers.slots[slot]]
            inputs = [t.clone() for t in self.buffers.places[place]] if self.plan.inputs else None
            if self.buffers.layout.device != "cpu":
                torch.cuda.synchronize()
            self.block.kept[call] = KeptCall(self.keys[call], outputs, inputs)

    def _watch(self) -> None:
        if self.buffers.control[FAILED] or self.worker.ended():
            self.worker.answer(self.request, 5.0)  # raises what the worker says of the failure, or how it ended
            raise self.worker.misbehaved("answered that a block was done whose calls were not")
        now = time.monotonic()
        self.worker.watch(usage=now - self.began > _SHORT_BLOCK_S)
        if now > self.deadline:
            raise self.worker.overdue(self.limit_s)
