"""Times of calls as CUDA graphs, and from them the time for which the device works: information, not the score.

Each side's call is captured in its own worker: inputs copied in, the call, outputs copied out. The controller clocks
replays, and the inputs are drawn anew before each. A replay costs one launch, whatever the call. What the replay of an
empty call takes (the copies, the launch, waiting for the device) is subtracted, and the rest is the device's work.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from passnet.authored import one_line
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.outcome.ownership import Verdict, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import LEAST_BUSY_US, Timing
from passnet.bench.timing import blocks, sizing, stats
from passnet.bench.timing.blocks import Block, BlockPlan
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.wire.memory import Stage
from passnet.bench.wire.requests import Capture, Variant
from passnet.score import Outcome

# Why there is no captured figure although both calls were captured.
OTHER_OUTPUTS = "a replay gives other outputs than a call"
_STAGES: dict[Role, Stage] = {"reference": "reference", "candidate": "call"}
_WARM_CALLS, _EMPTY_BLOCKS = 4, 3
# Blocks of the candidate's replays that are compared, of each pair. Which ones is drawn: kernels can count replays.
_COMPARED = 2


@dataclass(frozen=True)
class _Pair:
    """Blocks of replays of one pair: wall times of both sides, and what an empty call takes."""

    eager: tuple[tuple[float, float], ...]
    candidate: tuple[tuple[float, float], ...]
    empty_us: float

    def side(self, *, busy: bool) -> stats.Process:
        if not busy:
            return stats.Process(self.eager, self.candidate)
        return stats.Process(_busy(self.eager, self.empty_us), _busy(self.candidate, self.empty_us))


def _busy(two: Sequence[tuple[float, float]], empty_us: float) -> tuple[tuple[float, float], ...]:
    return tuple((max(first - empty_us, LEAST_BUSY_US), max(second - empty_us, LEAST_BUSY_US)) for first, second in two)


@dataclass
class CapturedCalls:
    """Measures the captured convention on pairs whose programs are verified and warm.

    `compared`: takes blocks of the candidate's replays whose outputs are still to be compared.
    """

    pairs: Sequence[WorkerPair]
    given: SecretInputs
    protocol: Protocol
    rng: random.Random
    quiet_core: QuietCore = field(default_factory=QuietCore)
    compared: list[Block] = field(default_factory=list)
    _eager: set[int] = field(default_factory=set)  # pairs whose reference has captured eager's call

    def measure(self, timing: Timing) -> Timing:
        """The timing with the captured figures, or with the reason why there are none."""
        if not self.protocol.captured_groups:
            return timing
        if not self.pairs:
            return timing.model_copy(update={"not_captured": "no process is left for it"})
        found: list[_Pair] = []
        for pair in self.pairs:
            what = "capturing"
            try:
                why = self._capture(pair)
                if why is None:
                    what = "a replay"
                    found.append(self._visit(pair, timing))
            except Verdict as verdict:
                why = f"{what} failed: {self._failed(pair, verdict)}"
            if why is not None:
                alone = self._eager_busy_us(pair, timing)
                return timing.model_copy(update={"not_captured": why, "eager_busy_us": alone})
        return timing.model_copy(update=self._figures(found))

    def _eager_busy_us(self, pair: WorkerPair, timing: Timing) -> float | None:
        """Eager's device time where the candidate has none. None where eager's call is not captured either."""
        if pair.index not in self._eager:
            return None
        timed = sizing.block_calls(timing.eager_us, self.protocol)
        self._block(pair, "reference", "captured", _WARM_CALLS)
        empty = [self._block(pair, "reference", "copied", timed).us_per_call for _ in range(_EMPTY_BLOCKS)]
        blocks_us = [
            self._block(pair, "reference", "captured", timed).us_per_call
            for _ in range(2 * self.protocol.captured_groups)
        ]
        return max(statistics.median(blocks_us) - min(empty), LEAST_BUSY_US)

    def _figures(self, found: Sequence[_Pair]) -> dict[str, object]:
        protocol = self.protocol
        wall, busy = (
            stats.estimate([pair.side(busy=kind) for pair in found], confidence=protocol.confidence, prior=protocol)
            for kind in (False, True)
        )
        sides = [pair.side(busy=True) for pair in found]
        return {
            "captured_speedup": wall.ratio,
            "captured_speedup_ci": (wall.low, wall.high),
            "busy_speedup": busy.ratio,
            "busy_speedup_ci": (busy.low, busy.high),
            "eager_busy_us": statistics.median(us for side in sides for two in side.eager for us in two),
            "compiled_busy_us": statistics.median(us for side in sides for two in side.candidate for us in two),
        }

    def _capture(self, pair: WorkerPair) -> str | None:
        """Have both sides captured. Returns why one cannot be. A candidate that cannot be is ended, because an
        operation that was refused in a capture may leave anything behind.
        """
        for role, stage in _STAGES.items():
            with owned_by(stage):
                request = Capture(copied=role == "reference")
                why = pair.ask(role, request, self.protocol.first_call_s).why
            if why is not None:
                if role == "candidate":
                    pair.end("candidate")
                return f"{'eager' if role == 'reference' else 'the candidate'}: {why}"
            if role == "reference":
                self._eager.add(pair.index)
        return None

    def _failed(self, pair: WorkerPair, verdict: Verdict) -> str:
        """Why the candidate failed in captured calls. Its calls were right, so this decides nothing, and it is ended.

        Findings and failures of eager are raised as they are.
        """
        if verdict.outcome in (Outcome.INTEGRITY, Outcome.REFERENCE_ERROR):
            raise verdict
        pair.end("candidate")
        return one_line(verdict.detail or verdict.outcome)

    def _visit(self, pair: WorkerPair, timing: Timing) -> _Pair:
        calls: dict[Role, float] = {"reference": timing.eager_us, "candidate": timing.compiled_us}
        timed = {role: sizing.block_calls(us, self.protocol) for role, us in calls.items()}
        for role in _STAGES:
            self._block(pair, role, "captured", _WARM_CALLS)
        empty = [self._block(pair, "reference", "copied", timed["reference"]).us_per_call]
        sides: dict[Role, list[tuple[float, float]]] = {role: [] for role in _STAGES}
        of_candidate = range(2 * self.protocol.captured_groups)
        compared = set(self.rng.sample(of_candidate, min(_COMPARED, len(of_candidate))))
        for number in range(self.protocol.captured_groups):
            self.quiet_core.quieten()
            order = self.rng.sample(sorted(_STAGES), len(_STAGES))
            us: dict[Role, list[float]] = {role: [] for role in _STAGES}
            for role in [*order, *order[::-1]]:
                kept = role == "candidate" and 2 * number + len(us[role]) in compared
                block = self._block(pair, role, "captured", timed[role], kept=kept)
                us[role].append(block.us_per_call)
                if kept:
                    self.compared.append(block)
            for role in _STAGES:
                sides[role].append((us[role][0], us[role][1]))
            if len(empty) < _EMPTY_BLOCKS:
                empty.append(self._block(pair, "reference", "copied", timed["reference"]).us_per_call)
        return _Pair(tuple(sides["reference"]), tuple(sides["candidate"]), min(empty))

    def _block(self, pair: WorkerPair, role: Role, variant: Variant, timed: int, *, kept: bool = False) -> Block:
        lead = self.protocol.lead_calls
        timed += kept  # the call after a kept one does not count
        plan = BlockPlan(variant, lead, timed, frozenset({self.rng.randrange(lead, lead + timed)} if kept else ()))
        with owned_by(_STAGES[role]), pair.awake(role) as worker:
            buffers = pair.timing_buffers(role)
            return blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)
