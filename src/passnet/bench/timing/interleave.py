"""Time a verified candidate against eager: interleaved blocks in every pair, with an A/A control, for one estimate.

A group of blocks is a palindrome such as A B C N N C B A. A is eager of this pair, B the candidate, C eager of the
next pair as control, and N null calls. The order is drawn anew for each group. Drift that is linear over the group
cancels in all ratios, and no side always follows the same other one.

The null calls of a group measure the harness's own cost per call (delivering outputs, the loop). They run in the
reference worker. The cost is subtracted from all three sides alike.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from passnet.bench.isolation.worker_pair import Role, WorkerPair
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
from passnet.bench.wire.replies import OutputFacts
from passnet.bench.wire.requests import Mode, TimeEvents, Variant
from passnet.bench.wire.shared_buffers import SharedBuffers

_NULL_CALLS = 24
_RESOLUTION_SHARE = 0.25
# Warm-up calls go on for about this time. The first few calls show how many that are.
_LOOK_CALLS = 3
_WARM_US = 1e6
_SPREAD = (0.75, 1.25)
_STAGES: dict[Role, Stage] = {"reference": "reference", "candidate": "call"}


class Unstable(Exception):
    """There is no figure to show: the interval stayed too wide, or the controls left their band."""


def net(two: Sequence[blocks.Block], harness_us: float, late_us: float = 0.0) -> tuple[float, float]:
    """Microseconds a call of a side's two blocks, without the harness's own cost.

    `late_us`: the time by which drawing took too long. It is added after the subtraction, because work during
    drawing took no part in delivering. It is added `LATE_COUNTS` times.
    """
    # Less than this cannot be told from the harness's own cost, so a faster side gets no more credit.
    least = max(_RESOLUTION_SHARE * harness_us, 1e-3)
    first, second = (max(block.us_per_call - harness_us, least) + observe.LATE_COUNTS * late_us for block in two)
    return first, second


@dataclass(frozen=True)
class CheckedBlock:
    """A timed block of a candidate to be compared now. Its inputs still lie in `buffers` as the block left them."""

    block: blocks.Block
    buffers: SharedBuffers


@dataclass
class TimingRun:
    """Times one graph in rounds, each in processes that the caller made: `round` until `finished`, then `timing`.

    Each round needs fresh processes. Most of the spread is between processes, because their memory lies in
    different places. The width of the interval alone decides about more rounds, never the ratio. Rounds end when
    the interval is narrow enough, or when the rounds or the time are used up. All data count, except a round whose
    A/A control leaves its band.
    `facts`: about eager's outputs, for the run-time guard.
    """

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    given: SecretInputs
    rng: random.Random
    shape: sizing.GraphShape
    facts: OutputFacts
    finished: bool = False
    rounds: int = 0
    voided: int = 0
    _figures: list[PairFigures] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _watch: Observations = field(default_factory=Observations)
    _leads: dict[Role, int] = field(default_factory=dict)

    def round(self) -> Generator[CheckedBlock, None, None]:
        """Time every pair once. It stops at the blocks that are to be compared. Unstable where nothing can be timed."""
        protocol, fresh = self.protocol, []
        for index in range(len(self.pairs)):
            fresh.append((yield from self._measure_pair(index)))
        self.rounds += 1
        self.finished = self.rounds >= protocol.rounds
        control = statistics.median(pair.control_ratio for pair in fresh)
        if abs(control - 1.0) > protocol.control_band:
            self.voided += 1
            return
        self._figures += fresh
        narrow = candidate_estimate(self._figures, protocol).half_width <= protocol.wanted_half_width
        self.finished |= narrow or time.monotonic() - self._began > protocol.timing_s

    def timing(self, device: str) -> Timing:
        """The estimate over all rounds, with cold figures beside it. Unstable where no figure may be shown."""
        figures = self._figures
        accepted = self._accept(figures, self.voided, device)
        harness_us = statistics.median(pair.harness_us for pair in figures)
        return Cold(self.pairs[0], self.given, self.protocol, self.rng, harness_us).measure(accepted)

    def _accept(self, figures: Sequence[PairFigures], voided: int, device: str) -> Timing:
        """The timing. It is scored at the interval's lower end where the candidate causes the width, or where the
        width says enough.

        A wide interval has an owner. If eager against eager is steady, the candidate's own times cause the width. A
        graph that loses must not vanish because it becomes unsteady. If the machine is unsteady, an interval on one
        side of 1 still shows the winner. The lower end promises no more than was seen.
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

    def _measure_pair(self, index: int) -> Generator[CheckedBlock, None, PairFigures]:
        pair, control = self.pairs[index], self.pairs[(index + 1) % len(self.pairs)]
        self._watch = Observations()
        warm = {role: self._warm_up(pair, role) for role in _STAGES}
        self._warm_up(control, "reference")
        calls = {role: sizing.block_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()}
        self._leads = {role: sizing.lead_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()}
        count = sizing.quads(min(calls.values()), self.protocol.quads, self.protocol)
        # The compared blocks are chosen here, after the candidate was built, and it is never told which.
        checked = set(self.rng.sample(range(2 * count), min(self.protocol.spot_checks, 2 * count)))
        guarded = set(self.rng.sample(range(count), min(self.protocol.guard_blocks, count)))
        groups = []
        for number in range(count):
            if number in guarded and not pair.trusted:
                self._block(pair, "candidate", "direct", self._some(calls["candidate"]), mode="guarded")
            groups.append((yield from self._group(pair, control, "direct", calls, checked, 2 * number)))
        more, deployed = self.protocol.deployed_quads, []
        checked = set(self.rng.sample(range(2 * more), min(2, 2 * more)))
        for number in range(more):
            quad, _ = yield from self._group(pair, control, "deployed", calls, checked, 2 * number)
            deployed.append(quad)
        self._watch.decide()
        if not pair.trusted:
            idle_work(pair, self.protocol.idle_s)
        harness_us = statistics.median(harness for _, harness in groups)
        quads = tuple(quad for quad, _ in groups)
        typical = statistics.median(us for quad in quads for us in quad.eager)
        least = min(harness for _, harness in groups)
        if typical <= _RESOLUTION_SHARE * least:
            raise Unstable(f"eager's {typical:.2f} us a call cannot be told from the harness's own {least:.2f} us")
        timed = 2 * count * calls["candidate"]
        return PairFigures(quads, tuple(deployed), timed, harness_us)

    def _warm_up(self, pair: WorkerPair, role: Role) -> blocks.Block:
        """Make untimed calls of both conventions. Returns the quicker of the blocks, for sizing only.

        The protocol sets the number of calls. A slow graph gets fewer, because one second is enough to warm up.
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
        variant: Variant,
        calls: dict[Role, int],
        checked: set[int],
        first_block: int,
    ) -> Generator[CheckedBlock, None, tuple[stats.Quad, float]]:
        """The times of one group, and the harness's own cost in it."""
        sides: dict[str, tuple[WorkerPair, Role, Variant]] = {
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
                block = self._block(where, role, kind, timed)
                found[side].append(block)
                if side == "candidate" and first_block + half in checked:
                    yield CheckedBlock(block, where.timing_buffers(role))
        self._watch.group(found["eager"], found["candidate"])
        # The quieter of two blocks. Disturbance only adds time, and subtracting too much would part the sides.
        idle = min(block.us_per_call for block in found["empty"]) if "empty" in sides else 0.0
        harness_us = max(0.0, min(block.us_per_call for block in found["null"]) - idle)
        late_us = observe.late_us(found["eager"], found["candidate"])
        eager, aa = (net(found[side], harness_us) for side in ("eager", "control"))
        return stats.Quad(eager, net(found["candidate"], harness_us, late_us), aa), harness_us

    # --- one block -------------------------------------------------------------------------------------------

    def _some(self, calls: int) -> int:
        """A length near the wanted one that nobody can predict."""
        return max(1, round(calls * self.rng.uniform(*_SPREAD)))

    def _block(
        self, pair: WorkerPair, role: Role, variant: Variant, timed: int, *, mode: Mode = "plain"
    ) -> blocks.Block:
        """One block. Every block keeps the same number of outputs, so all blocks cost the same."""
        lead = self._leads.get(role, self.protocol.lead_calls)
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
            buffers = pair.timing_buffers(role)
            block = blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)
        if role == "candidate":
            self._watch.block(block)
        return block

    def _settle(self) -> None:
        try:
            gpu_idle.settle(self.pairs)
        except gpu_idle.Busy as error:
            raise Unstable(str(error)) from error

    def _events(self) -> dict[str, float]:
        """Device time by the workers' own CUDA events: information, not the score."""
        medians = []
        for role, stage in _STAGES.items():
            with owned_by(stage):
                key = self.given.key()
                request = TimeEvents(calls=self.protocol.warmup_calls, draw=key.draw, key=key.words)
                times = self.pairs[0].ask(role, request, self.protocol.first_call_s)
            medians.append(statistics.median(times.gpu_us))
        eager, compiled = medians
        return {"gpu_speedup": eager / compiled, "eager_gpu_us": eager, "compiled_gpu_us": compiled}
