"""From the groups of blocks of all pairs to one estimate, and to the recorded timing."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import ProcessTiming, Timing
from passnet.bench.timing import stats


@dataclass(frozen=True)
class PairFigures:
    """The measurement of one pair: its groups, and the harness cost that was subtracted (us per call)."""

    quads: tuple[stats.Quad, ...]
    deployed: tuple[stats.Quad, ...]
    calls: int
    harness_us: float

    @property
    def control_ratio(self) -> float:
        return stats.control_side(self.quads).ratio

    def process(self) -> ProcessTiming:
        """The pair's entry in the record."""
        return ProcessTiming(
            quads=len(self.quads),
            calls=self.calls,
            ratio=stats.candidate_side(self.quads).ratio,
            eager_us=statistics.median(us for quad in self.quads for us in quad.eager),
            compiled_us=statistics.median(us for quad in self.quads for us in quad.candidate),
            control_ratio=self.control_ratio,
            harness_us=self.harness_us,
        )


def candidate_estimate(figures: Sequence[PairFigures], protocol: Protocol, *, deployed: bool = False) -> stats.Estimate:
    """Eager's time in units of the candidate's, over all pairs. `deployed`: called as a user of each would call it."""
    return _centre([stats.candidate_side(f.deployed if deployed else f.quads) for f in figures], protocol)


def control_estimate(figures: Sequence[PairFigures], protocol: Protocol) -> stats.Estimate:
    """The same estimate of eager against eager. It shows what the machine alone makes of a ratio of 1."""
    return _centre([stats.control_side(f.quads) for f in figures], protocol)


def _centre(processes: Sequence[stats.Process], protocol: Protocol) -> stats.Estimate:
    return stats.estimate(processes, confidence=protocol.confidence, resamples=protocol.resamples, seed=protocol.seed)


def timing_of(
    figures: Sequence[PairFigures], protocol: Protocol, *, voided: int, events: Mapping[str, float]
) -> Timing:
    """The recorded timing. `events`: device times by the workers' own clocks, where there are any."""
    direct = candidate_estimate(figures, protocol)
    deployed = candidate_estimate(figures, protocol, deployed=True) if protocol.deployed_quads else None
    processes = tuple(f.process() for f in figures)
    return Timing(
        speedup=direct.ratio,
        speedup_ci=(direct.low, direct.high),
        eager_us=statistics.median(p.eager_us for p in processes),
        compiled_us=statistics.median(p.compiled_us for p in processes),
        control_ratio=statistics.median(p.control_ratio for p in processes),
        processes=processes,
        voided_rounds=voided,
        deployed_speedup=deployed.ratio if deployed else None,
        deployed_speedup_ci=(deployed.low, deployed.high) if deployed else None,
        **events,
    )
