"""Time a verified candidate against eager: interleaved blocks in every lane, A/A control beside them, one estimate.

A group of blocks is a palindrome such as A B C C B A: eager of this lane, the candidate, and eager of the next lane as
control, in an order drawn anew for each group. Drift that is linear over the group cancels in both ratios, and no side
always follows the same other one. The harness's own cost per call (delivering outputs, the loop) is
measured by null blocks in the reference worker and subtracted from all three alike.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from passnet.bench import blocks, claims, quiet, sizing, stats
from passnet.bench.arena import Arena
from passnet.bench.blocks import BlockPlan
from passnet.bench.cold import Cold
from passnet.bench.figures import LaneFigures, candidate_estimate, control_estimate, timing_of
from passnet.bench.lanes import Lane
from passnet.bench.pool import InputPool
from passnet.bench.protocol import Protocol
from passnet.bench.records import Timing
from passnet.bench.verdict import Stage, owned_by
from passnet.bench.watch import Watch, idle_work

_NULL_CALLS = 100
_NULL_BLOCKS = 8
_RESOLUTION_SHARE = 0.25
# Warm-up calls go on for about so long, by what the first few of them took.
_LOOK_CALLS = 3
_WARM_US = 1e6
_SPREAD = (0.75, 1.25)
_STAGES: dict[str, Stage] = {"reference": "reference", "candidate": "call"}


class Unstable(Exception):
    """No figure that may be shown: the interval stayed too wide, or the controls left their band."""


@dataclass
class Context:
    """All that timing one graph needs from the judge."""

    lanes: Sequence[Lane]
    protocol: Protocol
    pool: InputPool
    rng: random.Random
    shape: sizing.GraphShape
    lend: Callable[[Lane, int], None]
    restart: Callable[[], None]
    spot_check: Callable[[blocks.Block, Arena, BlockPlan], None]
    facts: dict[str, list[int]]
    watch: Watch = field(default_factory=Watch)

    def measure(self, device: str) -> Timing:
        """The estimate over all lanes, measured on until it is narrow enough or the rounds or the time are used up.

        Each round runs in fresh processes, since most of the spread is between processes (where their memory happens
        to lie). Rounds go on by the width of the interval alone, never by what the ratio is, and all their data
        count; only a round whose A/A control leaves its band is void.
        """
        protocol, began = self.protocol, time.monotonic()
        figures: list[LaneFigures] = []
        voided = 0
        for number in range(protocol.rounds):
            if number:
                self.restart()
            fresh = [self._measure_lane(index) for index in range(len(self.lanes))]
            control = statistics.median(lane.control_ratio for lane in fresh)
            if abs(control - 1.0) > protocol.control_band:
                voided += 1
                continue
            figures += fresh
            narrow = candidate_estimate(figures, protocol).half_width <= protocol.wanted_half_width
            if narrow or time.monotonic() - began > protocol.timing_s:
                break
        accepted = self._accept(figures, voided, device)
        harness_us = statistics.median(lane.harness_us for lane in figures)
        cold = Cold(self.lanes[0], self.shape, self.pool, protocol, self.rng, harness_us)
        return accepted.model_copy(update=cold.measure())

    def _accept(self, figures: Sequence[LaneFigures], voided: int, device: str) -> Timing:
        """The timing, scored at the interval's lower end where its width is the candidate's own doing or says enough.

        A wide interval has an owner. Where eager's control against eager is steady, it is the candidate's times that
        vary, and a graph that loses must not vanish by becoming unsteady. Where the machine is unsteady, an interval
        on one side of 1 still tells who won, and the lower end promises no more than was seen.
        """
        protocol, widest = self.protocol, self.protocol.max_half_width
        if not figures:
            raise Unstable(f"the A/A control left its band of {protocol.control_band:.0%} in every round")
        found = candidate_estimate(figures, protocol)
        events = self._events() if device != "cpu" else {}
        timing = timing_of(figures, protocol, voided=voided, events=events)
        if found.half_width <= widest:
            return timing
        steady = control_estimate(figures, protocol).half_width <= widest
        if not steady and found.low <= 1.0 <= found.high:
            raise Unstable(f"interval {found.low:.3f} to {found.high:.3f} is wider than {widest:.0%} either way")
        return timing.model_copy(update={"speedup": found.low, "scored_at": "low"})

    # --- one lane --------------------------------------------------------------------------------------------

    def _measure_lane(self, index: int) -> LaneFigures:
        lane, control = self.lanes[index], self.lanes[(index + 1) % len(self.lanes)]
        self.watch = Watch()
        eager_us = self._warm_up(lane, "reference")
        candidate_us = self._warm_up(lane, "candidate")
        self._warm_up(control, "reference")
        longest = (
            round(self.protocol.block_us / max(min(eager_us, candidate_us), 0.1) * _SPREAD[1]) + sizing.LEAD_SETS + 1
        )
        for each in (lane, control):
            if each.device != "cpu":
                self.lend(each, min(longest, blocks.MAX_CALLS))
        harness_us = self._harness(lane)
        calls = {"reference": self._calls(lane, eager_us), "candidate": self._calls(lane, candidate_us)}
        count = sizing.quads(min(calls.values()), self.protocol.quads, self.protocol)
        # Which blocks are compared is decided here, after the candidate was built, and never told to it.
        checked = set(self.rng.sample(range(2 * count), min(self.protocol.spot_checks, 2 * count)))
        guarded = set(self.rng.sample(range(count), min(self.protocol.guard_blocks, count)))
        quads = []
        for number in range(count):
            if number in guarded and not lane.trusted:
                self._block(lane, "candidate", "direct", self._some(calls["candidate"]), mode="guarded")
            quads.append(self._quad(lane, control, "direct", calls, harness_us, checked, 2 * number))
        more = self.protocol.deployed_quads
        checked = set(self.rng.sample(range(2 * more), min(2, 2 * more)))
        deployed = [self._quad(lane, control, "deployed", calls, harness_us, checked, 2 * i) for i in range(more)]
        self.watch.clocks()
        if not lane.trusted:
            idle_work(lane, self.protocol.idle_s)
        typical = statistics.median(us for quad in quads for us in quad.eager)
        if typical <= _RESOLUTION_SHARE * harness_us:
            raise Unstable(f"eager's {typical:.2f} us a call cannot be told from the harness's own {harness_us:.2f} us")
        return LaneFigures(tuple(quads), tuple(deployed), 2 * count * calls["candidate"], harness_us)

    def _calls(self, lane: Lane, us_per_call: float) -> int:
        arena = lane.arenas["candidate", "timing"]
        most = arena.layout.sets - sizing.LEAD_SETS if self.shape.fresh_sets else blocks.MAX_CALLS // 2
        return sizing.block_calls(us_per_call, self.protocol, int(most / _SPREAD[1]))

    def _warm_up(self, lane: Lane, role: str) -> float:
        """Untimed calls of both conventions; returns microseconds a call, for sizing only.

        As many as the protocol says, of a graph that takes long fewer: what warms up is warm after a second of it.
        """
        look = self._block(lane, role, "direct", min(_LOOK_CALLS, self.protocol.warmup_calls)).us_per_call
        calls = min(self.protocol.warmup_calls, max(_LOOK_CALLS, round(_WARM_US / max(look, 0.1))))
        first = self._block(lane, role, "direct", calls).us_per_call
        if self.protocol.deployed_quads:
            self._block(lane, role, "deployed", calls)
        return min(first, self._block(lane, role, "direct", calls).us_per_call)

    def _harness(self, lane: Lane) -> float:
        """Cost per call of delivering outputs and of the loop; on a GPU without the synchronisation itself, which a
        synchronised call costs everywhere and which the published figure contains."""
        null = self._null(lane, "null")
        return null if lane.device == "cpu" else max(0.0, null - self._null(lane, "empty"))

    def _null(self, lane: Lane, variant: str) -> float:
        """The quietest of a few blocks: what disturbs them only adds, and too much subtracted would part the sides."""
        plan = BlockPlan(variant, lead=10, timed=_NULL_CALLS, window=_NULL_CALLS + 10)
        times = []
        for _ in range(_NULL_BLOCKS):
            with lane.awake("reference") as worker:
                arena = lane.arenas["reference", "timing"]
                times.append(blocks.run(worker, arena, None, plan, self.rng, self.protocol.first_call_s).us_per_call)
        return min(times)

    def _quad(
        self,
        lane: Lane,
        control: Lane,
        variant: str,
        calls: dict[str, int],
        harness_us: float,
        checked: set[int],
        first_block: int,
    ) -> stats.Quad:
        def net(where: Lane, role: str, number: int | None = None) -> float:
            timed = self._some(calls[role])
            block = self._block(where, role, variant, timed, check=role == "candidate" and number in checked)
            # Less than this cannot be told from the harness's own cost: whoever is faster gets no more credit.
            return max(block.us_per_call - harness_us, _RESOLUTION_SHARE * harness_us, 1e-3)

        sides = {"eager": (lane, "reference"), "candidate": (lane, "candidate"), "control": (control, "reference")}
        order = self.rng.sample(sorted(sides), len(sides))
        first = {side: net(*sides[side], first_block) for side in order}
        second = {side: net(*sides[side], first_block + 1) for side in reversed(order)}
        return stats.Quad(**{side: (first[side], second[side]) for side in sides})

    # --- one block -------------------------------------------------------------------------------------------

    def _some(self, calls: int) -> int:
        """A length around the wanted one that nobody can announce."""
        return max(1, round(calls * self.rng.uniform(*_SPREAD)))

    def _plan(self, timed: int, sets: int) -> BlockPlan:
        """The lead-in is as long as the clocked part, about, so that the clock sees caches warm and clocks up.

        On the CPU it touches every set that is used again. On a GPU it keeps to a few sets of its own. Where eager
        changes its inputs it stays short: a set read again and again would drift.
        """
        protocol = self.protocol
        if self.shape.mutates:
            return BlockPlan("", protocol.lead_calls, timed, window=protocol.window)
        lead = max(protocol.lead_calls, min(round(timed * protocol.lead_us / protocol.block_us), blocks.MAX_CALLS // 2))
        if self.shape.fresh_sets:
            return BlockPlan("", lead, timed, window=protocol.window, lead_sets=sizing.LEAD_SETS)
        return BlockPlan("", max(lead, sets), timed, window=protocol.window)

    def _block(
        self, lane: Lane, role: str, variant: str, timed: int, *, check: bool = False, mode: blocks.Mode = "plain"
    ) -> blocks.Block:
        """One block on fresh inputs. Every block keeps as many outputs, so that all cost the same; `check` compares.

        On a GPU the last call is among them: a worker that did not wait for its device has not delivered that one yet.
        """
        arena = lane.arenas[role, "timing"]
        plan = self._plan(timed, arena.layout.sets)
        plan = replace(
            plan,
            variant=variant,
            pads=tuple(sizing.pads(self.shape, self.rng)),
            checked=frozenset(
                {self.rng.randrange(plan.lead, plan.calls)} | ({plan.calls - 1} if lane.device != "cpu" else set())
            ),
            mode=mode,
            share=self.protocol.guard_share,
            facts=self.facts,
        )
        self.pool.fill_all(arena)
        if lane.device != "cpu" and not lane.trusted:
            self._settle()
        with owned_by(_STAGES[role]), lane.awake(role) as worker:
            block = blocks.run(worker, arena, self.pool, plan, self.rng, self.protocol.first_call_s)
        if role == "candidate":
            self.watch.block(block)
        if check:
            self.spot_check(block, arena, plan)
        return block

    def _settle(self) -> None:
        try:
            quiet.settle(self.lanes)
        except quiet.Busy as error:
            raise Unstable(str(error)) from error

    def _events(self) -> dict[str, float]:
        """Device time by the workers' own CUDA events: information, not the score."""
        times: dict[str, list[float]] = {"reference": [], "candidate": []}
        for role in times:
            with owned_by(_STAGES[role]):
                order = {"do": "events", "calls": self.protocol.warmup_calls}
                times[role] = claims.times(self.lanes[0].ask(role, order, self.protocol.first_call_s), "gpu_us")
        eager, compiled = statistics.median(times["reference"]), statistics.median(times["candidate"])
        return {"gpu_speedup": eager / compiled, "eager_gpu_us": eager, "compiled_gpu_us": compiled}
