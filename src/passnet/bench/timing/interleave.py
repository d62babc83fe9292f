"""Time a verified candidate against eager: interleaved blocks in every pair, with an A/A control, for one estimate.

A group of blocks is a palindrome such as A B C C B A. A is eager of this pair, B the candidate, C eager of another
pair as control. The order is drawn anew for each group. Drift that is linear over the group cancels in all ratios, and
no side always follows the same other one.

Some groups in a row are a visit of a pair (`timing/visits.py`). Null calls at both ends of a visit measure the
harness's own cost per call (delivering outputs, the loop). They run in the reference workers. What all visits show of
it is subtracted from all three sides alike. Blocks are measured on a quiet core (`timing/quiet_core.py`). After each
visit `sampling.next_step` says what is measured next.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.outcome.ownership import found, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.timing import sampling, sizing, stats
from passnet.bench.timing.block_maker import STAGES, BlockMaker
from passnet.bench.timing.blocks import Block, lower_quartile
from passnet.bench.timing.cold import Cold
from passnet.bench.timing.estimate import (
    PairFigures,
    TimingEnd,
    Unstable,
    candidate_estimate,
    control_estimate,
    timing_of,
)
from passnet.bench.timing.groups import held_us, hidden_us
from passnet.bench.timing.observe import Observations
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.timing.visits import CheckedBlock, PairOnTrial, Visits
from passnet.bench.timing.warm_up import WarmUp
from passnet.bench.wire.replies import EventTimes, OutputFacts
from passnet.bench.wire.requests import TimeEvents

# The share of a null call that a call of a candidate takes at least, whatever the machine makes of both.
_LEAST_OF_NULL = 0.75


@dataclass(frozen=True)
class WantedPair:
    """A pair of fresh processes, to be made ready for the graph before the run goes on.

    `index` counts the pairs of this graph from 0. Pair `index` takes place `index` modulo the number of places. A pair
    that had the place is not measured again.
    """

    index: int


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
    blocks: BlockMaker = field(init=False)
    visits: Visits = field(init=False)
    _tried: list[PairOnTrial] = field(default_factory=list)
    _voided: int = 0
    _ready: int = 1
    _ended: TimingEnd = field(default_factory=TimingEnd)
    _warm_up: WarmUp = field(init=False)

    def __post_init__(self) -> None:
        self.blocks = BlockMaker(self.pairs, self.protocol, self.given, self.rng, self.shape, self.facts)
        self.visits = Visits(self.blocks, self.protocol, self.rng, self.quiet_core)
        self._warm_up = WarmUp(self.blocks, self.protocol)

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
                yield from self.visits.visit(tried, step.groups)
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
        harness_us = lower_quartile([us for each in self._tried for us in each.idle])
        groups = [group for each in self._tried for group in each.groups]
        return harness_us, hidden_us(groups), held_us(groups)

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

    def _further(self, groups: int) -> Generator[CheckedBlock | WantedPair, None, PairOnTrial]:
        """Begin the next pair, and visit it for the first time."""
        index = len(self._tried) + self._voided
        # Pair 0 needs pair 1 as its control. Later pairs are controlled by the one before.
        for wanted in range(self._ready, max(index, min(1, len(self.pairs) - 1)) + 1):
            yield WantedPair(wanted)
            self.blocks.somebody_was_awake()
            self._ready = wanted + 1
        places = len(self.pairs)
        tried = self._begin(index, self.pairs[index % places], self.pairs[(index - 1 if index else 1) % places])
        self._tried.append(tried)
        yield from self.visits.visit(tried, groups)
        return tried

    def _begin(self, index: int, pair: WorkerPair, control: WorkerPair) -> PairOnTrial:
        watch = Observations()
        self.blocks.turn_to({}, watch)
        warm: dict[Role, Block] = {
            "reference": self._warm_up.reference(index, pair),
            "candidate": self._warm_up.worker(pair, "candidate"),
        }
        if control is not pair:
            self._warm_up.reference(index - 1 if index else 1, control)
        return PairOnTrial(
            index,
            pair,
            control,
            {role: sizing.block_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()},
            {role: sizing.lead_calls(b.us_per_call, self.protocol, b.draw_us) for role, b in warm.items()},
            watch,
        )

    def _events(self) -> dict[str, float]:
        """Device time by the workers' own CUDA events: information, not the score. And the host's time for issuing a
        call of eager: the reference is trusted, so its clock is.
        """
        times: dict[Role, EventTimes] = {}
        for role, stage in STAGES.items():
            with owned_by(stage):
                key = self.given.key()
                request = TimeEvents(calls=self.protocol.warmup_calls, draw=key.draw, key=key.words)
                times[role] = self.pairs[0].ask(role, request, self.protocol.first_call_s)
        eager, compiled = (statistics.median(found.gpu_us) for found in times.values())
        figures = {"gpu_speedup": eager / compiled, "eager_gpu_us": eager, "compiled_gpu_us": compiled}
        return figures | {"launch_us": statistics.median(times["reference"].host_us)}
