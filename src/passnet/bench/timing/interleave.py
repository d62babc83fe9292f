"""Time a verified candidate against eager: interleaved blocks in every pair, A/A control beside them, one estimate.

A group of blocks is a palindrome such as A B C N N C B A: eager of this pair, the candidate, eager of the next pair as
control, and null calls, in an order drawn anew for each group. Drift that is linear over the group cancels in all
ratios, and no side always follows the same other one. The harness's own cost per call (delivering outputs, the loop) is
what the null calls of the same group cost, in the reference worker; it is subtracted from all three alike.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from passnet.bench.isolation import claims
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.timing import blocks, gpu_idle, observe, sizing, stats
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.timing.cold import Cold
from passnet.bench.timing.draws import SecretInputs
from passnet.bench.timing.estimate import PairFigures, candidate_estimate, control_estimate, timing_of
from passnet.bench.timing.observe import Observations, idle_work
from passnet.bench.wire.memory import Stage
from passnet.bench.wire.shared_buffers import SharedBuffers

_NULL_CALLS = 24
_RESOLUTION_SHARE = 0.25
# Warm-up calls go on for about so long, by what the first few of them took.
_LOOK_CALLS = 3
_WARM_US = 1e6
_SPREAD = (0.75, 1.25)
_STAGES: dict[str, Stage] = {"reference": "reference", "candidate": "call"}


class Unstable(Exception):
    """No figure that may be shown: the interval stayed too wide, or the controls left their band."""


def net(two: Sequence[blocks.Block], harness_us: float, late_us: float = 0.0) -> tuple[float, float]:
    """Microseconds a call of a side's two blocks without the harness's own cost.

    `late_us`: what drawing took too long. It is added after the subtraction, since what was done while inputs were
    drawn took no part in delivering, and `LATE_COUNTS` times.
    """
    # Less than this cannot be told from the harness's own cost: whoever is faster gets no more credit.
    least = max(_RESOLUTION_SHARE * harness_us, 1e-3)
    first, second = (max(block.us_per_call - harness_us, least) + observe.LATE_COUNTS * late_us for block in two)
    return first, second


@dataclass
class TimingRun:
    """All that timing one graph needs from the judge."""

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    given: SecretInputs
    rng: random.Random
    shape: sizing.GraphShape
    restart: Callable[[], None]
    spot_check: Callable[[blocks.Block, SharedBuffers], None]
    facts: dict[str, list[int]]
    watch: Observations = field(default_factory=Observations)
    leads: dict[str, int] = field(default_factory=dict)

    def measure(self, device: str) -> Timing:
        """The estimate over all pairs, measured on until it is narrow enough or the rounds or the time are used up.

        Each round runs in fresh processes, since most of the spread is between processes (where their memory happens
        to lie). Rounds go on by the width of the interval alone, never by what the ratio is, and all their data
        count; only a round whose A/A control leaves its band is void.
        """
        protocol, began = self.protocol, time.monotonic()
        figures: list[PairFigures] = []
        voided = 0
        for number in range(protocol.rounds):
            if number:
                self.restart()
            fresh = [self._measure_pair(index) for index in range(len(self.pairs))]
            control = statistics.median(pair.control_ratio for pair in fresh)
            if abs(control - 1.0) > protocol.control_band:
                voided += 1
                continue
            figures += fresh
            narrow = candidate_estimate(figures, protocol).half_width <= protocol.wanted_half_width
            if narrow or time.monotonic() - began > protocol.timing_s:
                break
        accepted = self._accept(figures, voided, device)
        harness_us = statistics.median(pair.harness_us for pair in figures)
        return Cold(self.pairs[0], self.given, protocol, self.rng, harness_us).measure(accepted)

    def _accept(self, figures: Sequence[PairFigures], voided: int, device: str) -> Timing:
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

    # --- one pair --------------------------------------------------------------------------------------------

    def _measure_pair(self, index: int) -> PairFigures:
        pair, control = self.pairs[index], self.pairs[(index + 1) % len(self.pairs)]
        self.watch = Observations()
        warm = {role: self._warm_up(pair, role) for role in ("reference", "candidate")}
        self._warm_up(control, "reference")
        calls = {role: sizing.block_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()}
        self.leads = {role: sizing.lead_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()}
        count = sizing.quads(min(calls.values()), self.protocol.quads, self.protocol)
        # Which blocks are compared is decided here, after the candidate was built, and never told to it.
        checked = set(self.rng.sample(range(2 * count), min(self.protocol.spot_checks, 2 * count)))
        guarded = set(self.rng.sample(range(count), min(self.protocol.guard_blocks, count)))
        groups = []
        for number in range(count):
            if number in guarded and not pair.trusted:
                self._block(pair, "candidate", "direct", self._some(calls["candidate"]), mode="guarded")
            groups.append(self._group(pair, control, "direct", calls, checked, 2 * number))
        more = self.protocol.deployed_quads
        checked = set(self.rng.sample(range(2 * more), min(2, 2 * more)))
        deployed = [self._group(pair, control, "deployed", calls, checked, 2 * i) for i in range(more)]
        self.watch.decide()
        if not pair.trusted:
            idle_work(pair, self.protocol.idle_s)
        harness_us = statistics.median(harness for _, harness in groups)
        quads = tuple(quad for quad, _ in groups)
        typical = statistics.median(us for quad in quads for us in quad.eager)
        least = min(harness for _, harness in groups)
        if typical <= _RESOLUTION_SHARE * least:
            raise Unstable(f"eager's {typical:.2f} us a call cannot be told from the harness's own {least:.2f} us")
        timed = 2 * count * calls["candidate"]
        return PairFigures(quads, tuple(quad for quad, _ in deployed), timed, harness_us)

    def _warm_up(self, pair: WorkerPair, role: str) -> blocks.Block:
        """Untimed calls of both conventions; returns the quicker of the blocks, for sizing only.

        As many as the protocol says, of a graph that takes long fewer: what warms up is warm after a second of it.
        """
        look = self._block(pair, role, "direct", min(_LOOK_CALLS, self.protocol.warmup_calls)).us_per_call
        calls = min(self.protocol.warmup_calls, max(_LOOK_CALLS, round(_WARM_US / max(look, 0.1))))
        first = self._block(pair, role, "direct", calls)
        if self.protocol.deployed_quads:
            self._block(pair, role, "deployed", calls)
        return min(first, self._block(pair, role, "direct", calls), key=lambda block: block.us_per_call)

    def _group(
        self,
        pair: WorkerPair,
        control: WorkerPair,
        variant: str,
        calls: dict[str, int],
        checked: set[int],
        first_block: int,
    ) -> tuple[stats.Quad, float]:
        """The times of one group, and the harness's own cost in it."""
        sides = {
            "eager": (pair, "reference", variant),
            "candidate": (pair, "candidate", variant),
            "control": (control, "reference", variant),
            "null": (pair, "reference", "null"),
        }
        if pair.device != "cpu":  # a synchronised call costs its synchronisation everywhere: that one stays in
            sides["empty"] = (pair, "reference", "empty")
        order = self.rng.sample(sorted(sides), len(sides))
        found: dict[str, list[blocks.Block]] = {side: [] for side in sides}
        for half, names in enumerate((order, order[::-1])):
            for side in names:
                where, role, kind = sides[side]
                if kind != variant and half:  # both of eager's processes are awake as often
                    where = control
                timed = self._some(calls[role]) if kind == variant else min(_NULL_CALLS, max(2, calls[role]))
                check = side == "candidate" and first_block + half in checked
                found[side].append(self._block(where, role, kind, timed, check=check))
        self.watch.group(found["eager"], found["candidate"])
        # The quieter of two blocks: what disturbs them only adds, and too much subtracted would part the sides.
        idle = min(block.us_per_call for block in found["empty"]) if "empty" in sides else 0.0
        harness_us = max(0.0, min(block.us_per_call for block in found["null"]) - idle)
        late_us = observe.late_us(found["eager"], found["candidate"])
        eager, aa = (net(found[side], harness_us) for side in ("eager", "control"))
        return stats.Quad(eager, net(found["candidate"], harness_us, late_us), aa), harness_us

    # --- one block -------------------------------------------------------------------------------------------

    def _some(self, calls: int) -> int:
        """A length around the wanted one that nobody can announce."""
        return max(1, round(calls * self.rng.uniform(*_SPREAD)))

    def _block(
        self, pair: WorkerPair, role: str, variant: str, timed: int, *, check: bool = False, mode: blocks.Mode = "plain"
    ) -> blocks.Block:
        """One block. Every block keeps as many outputs, so that all cost the same; `check` compares."""
        buffers = pair.lent[role, "timing"]
        lead = self.leads.get(role, self.protocol.lead_calls)
        plan = BlockPlan(
            variant,
            lead,
            timed,
            frozenset({self.rng.randrange(lead, lead + timed)}),
            pads=tuple(sizing.pads(self.shape, self.rng)),
            mode=mode,
            share=self.protocol.guard_share,
            facts=self.facts,
        )
        if pair.device != "cpu" and not pair.trusted:
            self._settle()
        with owned_by(_STAGES[role]), pair.awake(role) as worker:
            block = blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)
        if role == "candidate":
            self.watch.block(block)
        if check:
            self.spot_check(block, buffers)
        return block

    def _settle(self) -> None:
        try:
            gpu_idle.settle(self.pairs)
        except gpu_idle.Busy as error:
            raise Unstable(str(error)) from error

    def _events(self) -> dict[str, float]:
        """Device time by the workers' own CUDA events: information, not the score."""
        times: dict[str, list[float]] = {"reference": [], "candidate": []}
        for role in times:
            with owned_by(_STAGES[role]):
                key = self.given.key()
                order = {"do": "events", "calls": self.protocol.warmup_calls, "draw": key.draw, "key": key.words}
                times[role] = claims.times(self.pairs[0].ask(role, order, self.protocol.first_call_s), "gpu_us")
        eager, compiled = statistics.median(times["reference"]), statistics.median(times["candidate"])
        return {"gpu_speedup": eager / compiled, "eager_gpu_us": eager, "compiled_gpu_us": compiled}
