"""Time a verified candidate against eager: interleaved blocks in every pair, with an A/A control, for one estimate.

A group of blocks is a palindrome such as A B C C B A. A is eager of this pair, B the candidate, C eager of another
pair as control. The order is drawn anew for each group. Drift that is linear over the group cancels in all ratios, and
no side always follows the same other one.

Some groups in a row are a visit of a pair. Null calls at both ends of a visit measure the harness's own cost per call
(delivering outputs, the loop). They run in the reference workers. What all visits show of it is subtracted from all
three sides alike. Blocks are measured on a quiet core (`timing/quiet_core.py`). After each visit `sampling.next_step`
says what is measured next.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.outcome.ownership import found, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.timing import blocks, gpu_idle, sampling, sizing, stats
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.timing.cold import Cold
from passnet.bench.timing.draws import SecretInputs
from passnet.bench.timing.estimate import PairFigures, TimingEnd, candidate_estimate, control_estimate, timing_of
from passnet.bench.timing.groups import GrossGroup, held_us, hidden_us
from passnet.bench.timing.observe import Observations, idle_work
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.wire.memory import Stage
from passnet.bench.wire.replies import EventTimes, OutputFacts
from passnet.bench.wire.requests import Mode, TimeEvents, Variant
from passnet.bench.wire.shared_buffers import SharedBuffers

_FEWEST_NULL, _MOST_NULL_CALLS = 9, 24
# Where eager takes hardly longer than null calls, these are measured so often at most, until two blocks agree.
_MOST_NULL, _NULL_AGREE = 6, 0.15
# A warm-up goes on in blocks of so many calls, until two in a row agree within this.
_WARM_CALLS, _WARM_AGREE = 3, 0.1
# Blocks compared in a later visit of a pair. Whoever counts calls finds no visit that is not looked at.
_LATER_CHECKS, _LATER_GUARDS = 1, 1
# Calls of a candidate's block of which outputs are kept, on average.
_KEPT_CALLS = 1.5
# One in so many later visits ends with a look at the idle candidate.
_LATER_IDLE = 4
_SPREAD = (0.75, 1.25)
# The share of a null call that a call of a candidate takes at least, whatever the machine makes of both.
_LEAST_OF_NULL = 0.75
_STAGES: dict[Role, Stage] = {"reference": "reference", "candidate": "call"}


class Unstable(Exception):
    """There is no figure to show: the interval stayed too wide, or the controls left their band."""


def _disturbed(gross_us: float, null_us: Sequence[float]) -> bool:
    """True where eager seems to take hardly longer than null calls, and these do not say so reliably.

    A graph may compute next to nothing, such as a view. Then eager takes as long as a null call, whenever one is
    measured. No side is faster there, because no call counts as less than `blocks.RESOLUTION_SHARE`.
    """
    first, second = sorted(null_us)[:2]
    if gross_us > (1 + blocks.RESOLUTION_SHARE) * first:
        return False
    return second > (1 + _NULL_AGREE) * first or gross_us < (1 - _NULL_AGREE) * first


@dataclass(frozen=True)
class CheckedBlock:
    """A timed block of a candidate to be compared now. Its inputs still lie in `buffers` as the block left them."""

    block: blocks.Block
    buffers: SharedBuffers


@dataclass(frozen=True)
class WantedPair:
    """A pair of fresh processes, to be made ready for the graph before the run goes on.

    `index` counts the pairs of this graph from 0. Pair `index` takes place `index` modulo the number of places. A pair
    that had the place is not measured again.
    """

    index: int


@dataclass
class _Looks:
    """Decides after each block whether it is compared: about `wanted` of `blocks`, and at least one.

    All blocks are made alike, so nobody can know which it will be. Each is chosen by itself, so whoever feels that some
    were compared does not know that the next will not be.
    """

    rng: random.Random
    wanted: int
    blocks: int
    _chosen: int = 0
    _seen: int = 0

    def chooses(self) -> bool:
        self._seen += 1
        forced = self._seen == self.blocks and not self._chosen
        chosen = forced or self.rng.random() < self.wanted / self.blocks
        self._chosen += chosen
        return chosen


@dataclass
class _PairOnTrial:
    """One pair of processes on trial: what it is measured with, and what was measured.

    `control`: the pair whose reference worker is the A/A control. `idle`: microseconds of null calls.
    """

    index: int
    pair: WorkerPair
    control: WorkerPair
    calls: dict[Role, int]
    leads: dict[Role, int]
    watch: Observations = field(default_factory=Observations)
    groups: list[GrossGroup] = field(default_factory=list)
    deployed: list[GrossGroup] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    def figures(self, harness_us: float, hidden_us: float, held_us: float) -> PairFigures:
        return PairFigures(
            quads=tuple(group.net(harness_us, hidden_us, held_us) for group in self.groups),
            deployed=tuple(group.net(harness_us, hidden_us, held_us) for group in self.deployed),
            calls=2 * len(self.groups) * self.calls["candidate"],
            harness_us=harness_us,
        )


@dataclass
class TimingRun:
    """Times one graph on pairs of processes that the caller makes ready: `measure`, then `timing`.

    Most of the spread is between processes, because their memory lies in different places. So a further pair is asked
    for where more groups of the present ones would not do. All data count, except a pair whose A/A control leaves its
    band.
    `facts`: about eager's outputs, for the run-time guard.
    `built`: how many pairs had their programs built beside the first one's.
    """

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    given: SecretInputs
    rng: random.Random
    shape: sizing.GraphShape
    facts: OutputFacts
    quiet_core: QuietCore = field(default_factory=QuietCore)
    built: int = 1
    apart_s: float = 0.0
    _at_rest: bool = False  # the GPU was seen idle, and no candidate was awake since
    _tried: list[_PairOnTrial] = field(default_factory=list)
    _voided: int = 0
    _ready: int = 1
    _ended: TimingEnd = field(default_factory=TimingEnd)
    _leads: dict[Role, int] = field(default_factory=dict)
    _warmed: dict[int, blocks.Block] = field(default_factory=dict)
    _hard: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    _watch: Observations = field(default_factory=Observations)

    def measure(self) -> Generator[CheckedBlock | WantedPair, None, None]:
        """Measure until the interval is narrow, the question is answered or a limit is met.

        It stops at the blocks that are to be compared and at the pairs that are to be made ready. Pair 0 is ready.
        Unstable where nothing can be timed.
        """
        began, look = time.monotonic(), 0
        step = sampling.Step("pair", groups=self.protocol.visit_groups)
        while not step.ends:
            if step.kind == "pair":
                tried = yield from self._further(step.groups)
            else:
                tried = self._tried[step.index]
                yield from self._visit(tried, step.groups)
            if tried.figures(*self._common_us()).left_band(self.protocol.control_band):
                self._tried.remove(tried)
                self._voided += 1
            look += len(self._tried) >= self.protocol.least_pairs
            step = self._next(max(1, look), time.monotonic() - began - self.apart_s)
        self._ended = TimingEnd(step.ends, look)

    def _next(self, look: int, seconds: float) -> sampling.Step:
        protocol = self.protocol
        logs = [stats.candidate_side(figures.quads).logs for figures in self._figures()]
        oldest = self._ready - len(self.pairs)
        opened = [number for number, tried in enumerate(self._tried) if tried.index >= oldest]
        step = sampling.next_step(logs, opened, protocol, look, self.built - self._voided)
        late = seconds > protocol.timing_s and len(logs) >= protocol.least_pairs
        # A pair that was void is a pair that was tried.
        spent = step.kind == "pair" and len(logs) + self._voided >= protocol.most_pairs
        return sampling.Step("limit") if not step.ends and (late or spent) else step

    def _figures(self) -> list[PairFigures]:
        common = self._common_us()
        return [tried.figures(*common) for tried in self._tried]

    def _common_us(self) -> tuple[float, float, float]:
        """What is subtracted from every call, and two things that are added to the candidate's. All pairs together
        show them.
        """
        if not self._tried:
            return 0.0, 0.0, 0.0
        harness_us = blocks.lower_quartile([us for each in self._tried for us in each.idle])
        groups = [group for each in self._tried for group in each.groups]
        return harness_us, hidden_us(groups), held_us(groups)

    @property
    def _null_calls(self) -> int:
        """Calls of a null block: enough that the slowest does not count, and few where drawing takes long."""
        return max(_FEWEST_NULL, min(_MOST_NULL_CALLS, max(tried.calls["reference"] for tried in self._tried)))

    @property
    def open_pairs(self) -> list[WorkerPair]:
        """The pairs that were measured, count, and still have their programs."""
        oldest, places = self._ready - len(self.pairs), len(self.pairs)
        return [self.pairs[tried.index % places] for tried in self._tried if tried.index >= oldest]

    def timing(self, device: str) -> Timing:
        """The estimate over all pairs, with cold figures beside it. Unstable where no figure may be shown.

        Verdict `integrity` where calls of passes take less than calls in which nothing is computed.
        """
        if device == "cpu" and self._tried and not self.pairs[0].trusted:
            self._takes_the_loop()
        accepted = self._accept(self._figures(), self._voided, device)
        self.quiet_core.quieten()
        return Cold(self.pairs[0], self.given, self.protocol, self.rng).measure(accepted)

    def _takes_the_loop(self) -> None:
        """The same loop makes null calls and the candidate's. Calls surely shorter than those were not made by it."""
        harness_us, *_ = self._common_us()
        us = statistics.median(us for tried in self._tried for group in tried.groups for us in group.candidate)
        if us < _LEAST_OF_NULL * harness_us:
            nothing = f"a call in which nothing is computed takes {harness_us:.2f}"
            raise found("implausible_time", f"calls take {us:.2f} us from order to end, and {nothing}")

    def _accept(self, figures: Sequence[PairFigures], voided: int, device: str) -> Timing:
        """The timing. It is scored at the interval's lower end where the candidate causes the width, where the width
        says enough, or where measuring ended because the question was answered.

        A wide interval has an owner. If eager against eager is steady, the candidate's own times cause the width. A
        graph that loses must not vanish because it becomes unsteady. If the machine is unsteady, an interval on one
        side of 1 still shows the winner. The lower end promises no more than was seen.
        """
        protocol, widest = self.protocol, self.protocol.max_half_width
        if not figures:
            raise Unstable(f"the A/A control left its band of {protocol.control_band:.0%} in every pair")
        estimate = candidate_estimate(figures, protocol, self._ended)
        events = self._events() if device != "cpu" else {}
        timing = timing_of(figures, protocol, self._ended, voided=voided, events=events)
        timing = timing.model_copy(update=self.quiet_core.figures())
        lower = timing.model_copy(update={"speedup": estimate.low, "scored_at": "low"})
        if self._ended.why == "decided":
            return lower
        if estimate.half_width <= widest:
            return timing
        steady = control_estimate(figures, protocol).half_width <= widest
        if not steady and estimate.low <= 1.0 <= estimate.high:
            width = f"{estimate.half_width:.1%} either way ({estimate.low:.3f} to {estimate.high:.3f})"
            raise Unstable(
                f"the interval reached {width}; "
                f"{protocol.precision:.0%} was asked for, and above {widest:.0%} there is no figure"
            )
        return lower

    # --- one pair --------------------------------------------------------------------------------------------

    def _further(self, groups: int) -> Generator[CheckedBlock | WantedPair, None, _PairOnTrial]:
        """Begin the next pair, and visit it for the first time."""
        index = len(self._tried) + self._voided
        # Pair 0 needs pair 1 as its control. Later pairs are controlled by the one before.
        for wanted in range(self._ready, max(index, min(1, len(self.pairs) - 1)) + 1):
            yield WantedPair(wanted)
            self._at_rest, self._ready = False, wanted + 1
        places = len(self.pairs)
        tried = self._begin(index, self.pairs[index % places], self.pairs[(index - 1 if index else 1) % places])
        self._tried.append(tried)
        yield from self._visit(tried, groups)
        return tried

    def _begin(self, index: int, pair: WorkerPair, control: WorkerPair) -> _PairOnTrial:
        self._leads, self._watch = {}, Observations()
        warm: dict[Role, blocks.Block] = {
            "reference": self._warm_reference(index, pair),
            "candidate": self._warm_up(pair, "candidate"),
        }
        if control is not pair:
            self._warm_reference(index - 1 if index else 1, control)
        return _PairOnTrial(
            index,
            pair,
            control,
            {role: sizing.block_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()},
            {role: sizing.lead_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()},
            self._watch,
        )

    def _warm_reference(self, index: int, pair: WorkerPair) -> blocks.Block:
        """Warm up the reference of pair `index`, unless that was done when it was another pair's control."""
        if index not in self._warmed:
            self._warmed[index] = self._warm_up(pair, "reference")
        return self._warmed[index]

    def _warm_up(self, pair: WorkerPair, role: Role) -> blocks.Block:
        """Make untimed calls of both conventions. Returns the quickest block of the direct one, for sizing only."""
        quickest = self._warm(pair, role, "direct")
        if self.protocol.deployed_groups:
            self._warm(pair, role, "deployed")
        return quickest

    def _warm(self, pair: WorkerPair, role: Role, variant: Variant) -> blocks.Block:
        """Short blocks until two in a row agree, or until the calls or the time of a warm-up are used up."""
        made, spent_us, before = 0, 0.0, math.inf
        quickest: blocks.Block | None = None
        while quickest is None or (made < self.protocol.warmup_calls and spent_us < self.protocol.warmup_us):
            block = self._block(pair, role, variant, min(_WARM_CALLS, self.protocol.warmup_calls))
            made, spent_us = made + _WARM_CALLS, spent_us + _WARM_CALLS * block.us_per_call
            if quickest is None or block.us_per_call < quickest.us_per_call:
                quickest = block
            if abs(block.us_per_call - before) <= _WARM_AGREE * block.us_per_call:
                break
            before = block.us_per_call
        return quickest

    def _visit(self, tried: _PairOnTrial, groups: int) -> Generator[CheckedBlock, None, None]:
        """Measure some groups of a pair, with the harness's cost before and after, and look at what the candidate did.

        Unstable where the machine hides what eager takes beyond the harness.
        """
        first = not tried.groups
        self._leads, self._watch = tried.leads, tried.watch
        looks = _Looks(self.rng, self.protocol.spot_checks if first else _LATER_CHECKS, 2 * groups)
        guarded = self._some_of(groups, self.protocol.guard_blocks if first else _LATER_GUARDS)
        idle = [self._harness(tried.pair)]
        measured = []
        for number in range(groups):
            if number in guarded and self.protocol.guard_blocks and not tried.pair.trusted:
                self._block(tried.pair, "candidate", "direct", self._some(tried.calls["candidate"]), mode="guarded")
            measured.append((yield from self._group(tried, "direct", looks)))
        idle.append(self._harness(tried.control))
        typical = statistics.median(us for group in measured for us in group.eager)
        while _disturbed(typical, idle) and len(idle) < _MOST_NULL:
            idle.append(self._harness(tried.pair))
        tried.idle += idle
        tried.groups += measured
        more = self.protocol.deployed_groups if first else 0
        looks = _Looks(self.rng, _LATER_CHECKS, 2 * more)
        for _ in range(more):
            tried.deployed.append((yield from self._group(tried, "deployed", looks)))
        tried.watch.decide()
        if not tried.pair.trusted and (first or not self.rng.randrange(_LATER_IDLE)):
            idle_work(tried.pair, self.protocol.idle_s)
            self._at_rest = False
        if _disturbed(typical, idle):
            nothing = f"{min(idle):.2f} us of a call in which nothing is computed"
            raise Unstable(f"eager's call of {typical:.2f} us cannot be told from the {nothing}")

    def _some_of(self, count: int, wanted: int) -> set[int]:
        return set(self.rng.sample(range(count), min(wanted, count)))

    def _harness(self, pair: WorkerPair) -> float:
        """What a call costs in which nothing is computed, in the reference worker of a pair."""
        kinds: list[Variant] = ["null"]
        if pair.device != "cpu":  # a synchronised call costs its synchronisation everywhere: that one stays in
            kinds.append("empty")
        self.rng.shuffle(kinds)
        us = {}
        for kind in kinds:
            self.quiet_core.quieten()
            us[kind] = self._block(pair, "reference", kind, self._null_calls).us_per_call
        return max(0.0, us["null"] - us.get("empty", 0.0))

    def _group(self, tried: _PairOnTrial, variant: Variant, looks: _Looks) -> Generator[CheckedBlock, None, GrossGroup]:
        """The blocks of one group, two a side."""
        sides: dict[str, tuple[WorkerPair, Role]] = {
            "eager": (tried.pair, "reference"),
            "candidate": (tried.pair, "candidate"),
            "control": (tried.control, "reference"),
        }
        order = self.rng.sample(sorted(sides), len(sides))
        found: dict[str, list[blocks.Block]] = {side: [] for side in sides}
        for side in (*order, *order[::-1]):
            where, role = sides[side]
            chosen = looks if side == "candidate" else None
            found[side].append((yield from self._quiet_block(where, role, variant, tried.calls[role], chosen)))
        tried.watch.group(found["eager"], found["control"], found["candidate"])
        return GrossGroup.of(found)

    def _quiet_block(
        self, pair: WorkerPair, role: Role, variant: Variant, calls: int, looks: _Looks | None
    ) -> Generator[CheckedBlock, None, blocks.Block]:
        """A block on a core that was quiet before and after it. `looks`: keep outputs. Tries that do not count are not
        compared.
        """
        counts, keeps = False, looks is not None
        while not counts:
            self.quiet_core.quieten()
            hard = self._next_hard() if keeps else ()
            block = self._block(pair, role, variant, self._some(calls), keeps=keeps, hard=hard)
            counts = self.quiet_core.counts(candidate=role == "candidate")
        if looks is not None and looks.chooses():
            yield CheckedBlock(block, pair.timing_buffers(role))
            for left in self._hard:
                del left[-1:]
        else:
            block.kept.clear()
        return block

    # --- one block -------------------------------------------------------------------------------------------

    def _some(self, calls: int) -> int:
        """A length near the wanted one that nobody can predict."""
        return max(1, round(calls * self.rng.uniform(*_SPREAD)))

    def _kept_calls(self, timed: int) -> int:
        """How many calls of a block are kept. Each is by the same chance, whichever were.

        Keeping takes the controller a while. Who feels that a call was kept must not know whether a further one will
        be.
        """
        return sum(self.rng.random() < _KEPT_CALLS / timed for _ in range(timed))

    def _next_hard(self) -> list[int]:
        """Draws for the hard calls amid the timed ones: a hard draw, and a sibling of one.

        All of both kinds take turns in a secret order, each until one of its blocks was compared. Who counts calls may
        otherwise be right on them while all are verified, and wrong once calls are timed. Siblings are no substitute:
        masks are ordinary in them.
        """
        for left, draws in zip(self._hard, (self.given.hard, self.given.beside), strict=True):
            if not left:
                left.extend(self.rng.sample(sorted(draws), len(draws)))
        return [left[-1] for left in self._hard if left]

    def _block(
        self,
        pair: WorkerPair,
        role: Role,
        variant: Variant,
        timed: int,
        *,
        mode: Mode = "plain",
        keeps: bool = False,
        hard: Sequence[int] = (),
    ) -> blocks.Block:
        """One block. `keeps`: it keeps outputs of some calls.

        `hard`: the draws of further calls, which are kept and do not count. Nothing tells them from the timed calls.
        """
        lead = self._leads.get(role, self.protocol.lead_calls)
        kept = self._kept_calls(timed) if keeps else 0
        timed += kept + len(hard)  # the call after a kept one does not count
        places = range(lead, lead + timed + len(hard))
        apart = dict(zip(self.rng.sample(places, len(hard)), hard, strict=True))
        others = [call for call in places if call not in apart]
        plan = BlockPlan(
            variant,
            lead,
            timed,
            frozenset(self.rng.sample(others, kept)),
            inputs=bool(self.shape.changed),
            most_kept=sizing.most_kept(self.shape),
            apart=apart,
            pads=tuple(sizing.pads(self.shape, self.rng)),
            mode=mode,
            share=self.protocol.guard_share,
            own=role == "candidate" and not pair.trusted,
            facts=self.facts,
        )
        if pair.device != "cpu" and not pair.trusted and not self._at_rest:
            self._settle()
        self._at_rest = role == "reference"
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
        """Device time by the workers' own CUDA events: information, not the score. And the host's time for issuing a
        call of eager: the reference is trusted, so its clock is.
        """
        times: dict[Role, EventTimes] = {}
        for role, stage in _STAGES.items():
            with owned_by(stage):
                key = self.given.key()
                request = TimeEvents(calls=self.protocol.warmup_calls, draw=key.draw, key=key.words)
                times[role] = self.pairs[0].ask(role, request, self.protocol.first_call_s)
        eager, compiled = (statistics.median(found.gpu_us) for found in times.values())
        figures = {"gpu_speedup": eager / compiled, "eager_gpu_us": eager, "compiled_gpu_us": compiled}
        return figures | {"launch_us": statistics.median(times["reference"].host_us)}
