"""One block of calls, driven and clocked by the controller through the shared control page.

The worker learns the next call only when the controller publishes it, at most `window` calls ahead, and learns the
length of the block only when it meets the stop mark. The clock is the controller's: it starts when the lead-in calls
are seen done and ends when the last call is, so neither messages nor wake-up are in it.
"""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from passnet.bench.arena import FAILED, PROGRESS, PUBLISHED, RING_SLOTS, RING_START, STOP, Arena
from passnet.bench.pool import InputPool
from passnet.bench.session import Worker

MAX_CALLS = RING_SLOTS - 64
_WATCH_SPINS = 2000
_SHORT_BLOCK_S = 0.5
Mode = Literal["plain", "guarded", "profiled", "ghost"]


@dataclass(frozen=True)
class BlockPlan:
    """`lead` untimed calls, then `timed` clocked ones.

    `checked`: calls whose outputs the controller keeps; `pads`: bytes of idle tensors held (`sizing.pads`);
    `lead_sets`: the lead-in keeps to so many sets of its own, so that the clocked calls find the others unread;
    `mode`: as it is, under the run-time guard, under the profiler, or with kernels switched off; `share` of the calls
    are guarded, with `facts` about eager's outputs.
    """

    variant: str
    lead: int
    timed: int
    checked: frozenset[int] = frozenset()
    window: int = 16
    pads: tuple[int, ...] = ()
    lead_sets: int | None = None
    mode: Mode = "plain"
    share: float = 1.0
    facts: dict[str, list[int]] | None = None

    @property
    def calls(self) -> int:
        return self.lead + self.timed

    def sequence(self, order: Sequence[int]) -> list[int]:
        """The set that each call reads, `order` being a permutation of all sets."""
        if self.lead_sets is None or self.lead_sets >= len(order):
            return [order[call % len(order)] for call in range(self.calls)]
        led, clocked = order[: self.lead_sets], order[self.lead_sets :]
        lead = [led[call % len(led)] for call in range(self.lead)]
        return lead + [clocked[call % len(clocked)] for call in range(self.timed)]


@dataclass
class Block:
    """What came of a block: the clocked wall time per call; the kept outputs and the set used, by call.

    `span_us`: at least and at most so much passed between the ends of the first and the last call, whatever interrupted
    the controller; `reply`: what the worker says.
    """

    us_per_call: float
    kept: dict[int, list[torch.Tensor]] = field(default_factory=dict)
    sets: dict[int, int] = field(default_factory=dict)
    span_us: tuple[float, float] = (0.0, math.inf)
    reply: dict[str, Any] = field(default_factory=dict)


def run(
    worker: Worker, arena: Arena, pool: InputPool | None, plan: BlockPlan, rng: random.Random, timeout_s: float
) -> Block:
    """Run one block on an awake worker. WorkerFailure as `Worker.answer` raises it.

    With a pool, sets that come round again are patched first; without, every set is read as it lies.
    """
    order = list(range(arena.layout.sets))
    rng.shuffle(order)
    arena.reset()
    for slot in {call % len(arena.slots) for call in plan.checked}:
        arena.poison(slot)
    if arena.layout.device != "cpu":
        torch.cuda.synchronize()
    driver = _Driver(worker, arena, pool, plan, order, timeout_s)
    order_of = {"variant": plan.variant, "mode": plan.mode, "share": plan.share, "facts": plan.facts}
    worker.send({"do": "block", "yields": driver.crowded, "pads": plan.pads, **order_of})
    us_per_call = driver.drive()
    reply = worker.answer(timeout_s)
    sets = {call: driver.sequence[call] for call in plan.checked}
    return Block(us_per_call, driver.kept, sets, driver.span_us, reply)


class _Driver:
    """Publishes calls, patches returning sets, keeps chosen outputs, watches the clock."""

    def __init__(
        self,
        worker: Worker,
        arena: Arena,
        pool: InputPool | None,
        plan: BlockPlan,
        order: Sequence[int],
        timeout_s: float,
    ) -> None:
        self.worker, self.arena, self.plan = worker, arena, plan
        self.sequence = plan.sequence(order)
        reused = pool is not None and plan.calls > len(order) and arena.layout.device == "cpu"
        self.patches = pool.plan_patches(arena, order, plan.calls) if pool is not None and reused else {}
        # A set may be patched only while no published call is about to read it.
        self.window = min(plan.window, len(order)) if self.patches else plan.window
        self.to_keep = sorted(plan.checked, reverse=True)
        # What no later call overwrites is taken when the clock has stopped.
        self.take_early = any(call + len(arena.slots) < plan.calls for call in plan.checked)
        self.kept: dict[int, list[torch.Tensor]] = {}
        self.published = 0
        self.last_published_ns = 0
        self.span_us = (0.0, math.inf)
        self.began = time.monotonic()
        # With one core for both sides, whoever spins must give it up or the other waits for the scheduler's slice.
        self.crowded = worker.options.cpus == () and len(os.sched_getaffinity(0)) < 2
        self.limit_s = timeout_s
        self.deadline = self.began + timeout_s

    def drive(self) -> float:
        """Microseconds a call. Nothing that is timed is published before the clock runs."""
        control, plan, clock = self.arena.control, self.plan, time.perf_counter_ns
        began = clock()
        spins, done, started, first = 0, 0, began, 0
        while done < plan.calls:
            if self.take_early:
                self._keep(done)  # first: publishing may be waiting for a slot to be read
            self._publish(done)
            while (now_done := control[PROGRESS]) == done:
                spins += 1
                if self.crowded:
                    os.sched_yield()
                if spins % _WATCH_SPINS == 0:
                    self._watch()
            if not done <= now_done <= self.published:
                raise self.worker.misbehaved(f"claimed {now_done} calls after {done} of {self.published} published")
            if done < plan.lead <= now_done:
                started = clock()
            if not done:
                first = clock()
            done = now_done
        ended = clock()
        self.span_us = (max(0, self.last_published_ns - first) / 1e3, (ended - began) / 1e3)
        self.worker.stop()
        self._keep(plan.calls)
        self.worker.resume()
        return (ended - started) / 1e3 / plan.timed

    def _publish(self, done: int) -> None:
        """Publish as far as the window, the sets in use and the outputs still to be taken allow."""
        control, plan = self.arena.control, self.plan
        limit = min(plan.calls if done >= plan.lead else plan.lead, done + self.window)
        if self.take_early and self.to_keep:
            limit = min(limit, self.to_keep[-1] + len(self.arena.slots))
        if limit <= self.published:
            return
        for call in range(self.published, limit):
            if call in self.patches:
                view, element, bits = self.patches[call]
                view[element] = bits
            control[RING_START + call] = self.sequence[call]
        self.published = limit
        if limit == plan.calls:
            self.last_published_ns = time.perf_counter_ns()
            control[RING_START + limit] = STOP
            limit += 1
        control[PUBLISHED] = limit

    def _keep(self, done: int) -> None:
        while self.to_keep and self.to_keep[-1] < done:
            call = self.to_keep.pop()
            self.kept[call] = [t.clone() for t in self.arena.slots[call % len(self.arena.slots)]]

    def _watch(self) -> None:
        if self.arena.control[FAILED] or self.worker.ended():
            self.worker.answer(5.0)  # raises what the worker says of the failure, or how it ended
            raise self.worker.misbehaved("answered that a block was done whose calls were not")
        now = time.monotonic()
        self.worker.watch(usage=now - self.began > _SHORT_BLOCK_S)
        if now > self.deadline:
            raise self.worker.overdue(self.limit_s)
