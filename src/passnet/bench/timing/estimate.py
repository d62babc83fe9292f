"""From the groups of blocks of all pairs to one estimate, and to the recorded timing."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import EndOfTiming, ProcessTiming, Timing
from passnet.bench.timing import sampling, stats

# A control leaves its band when it is so many standard errors beyond it.
_SURELY = 2.0


class Unstable(Exception):
    """There is no figure to show: the interval stayed too wide, or the controls left their band."""


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

    def left_band(self, band: float) -> bool:
        """Whether eager against eager is further from 1 than the band, and not by the noise of a few groups."""
        logs = stats.control_side(self.quads).logs
        noise = _SURELY * stats.group_sd([logs]) * math.sqrt(stats.figure_variance(len(logs)))
        return abs(math.log(self.control_ratio)) - noise > math.log1p(band)

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


@dataclass(frozen=True)
class TimingEnd:
    """Why measuring ended, and at which look at the interval."""

    why: EndOfTiming = "limit"
    look: int = 1

    def confidence(self, protocol: Protocol) -> float:
        """The confidence of the interval by which it ended."""
        return sampling.confidence_of_look(protocol, self.look) if self.why == "decided" else protocol.confidence


def candidate_estimate(
    figures: Sequence[PairFigures], protocol: Protocol, ended: TimingEnd | None = None, *, deployed: bool = False
) -> stats.Estimate:
    """Eager's time in units of the candidate's, over all pairs. `deployed`: called as a user of each would call it."""
    sides = [stats.candidate_side(f.deployed if deployed else f.quads) for f in figures]
    return stats.estimate(sides, confidence=(ended or TimingEnd()).confidence(protocol), prior=protocol)


def control_estimate(figures: Sequence[PairFigures], protocol: Protocol) -> stats.Estimate:
    """The same estimate of eager against eager. It shows what the machine alone makes of a ratio of 1."""
    sides = [stats.control_side(f.quads) for f in figures]
    return stats.estimate(sides, confidence=protocol.confidence, prior=protocol)


def timing_of(
    figures: Sequence[PairFigures], protocol: Protocol, ended: TimingEnd, *, voided: int, events: Mapping[str, float]
) -> Timing:
    """The recorded timing. `events`: device times by the workers' own clocks, where there are any."""
    direct = candidate_estimate(figures, protocol, ended)
    deployed = candidate_estimate(figures, protocol, deployed=True) if protocol.deployed_groups else None
    processes = tuple(f.process() for f in figures)
    return Timing(
        speedup=direct.ratio,
        speedup_ci=(direct.low, direct.high),
        eager_us=statistics.median(p.eager_us for p in processes),
        compiled_us=statistics.median(p.compiled_us for p in processes),
        control_ratio=statistics.median(p.control_ratio for p in processes),
        processes=processes,
        precision=protocol.precision,
        ended=ended.why,
        voided_pairs=voided,
        deployed_speedup=deployed.ratio if deployed else None,
        deployed_speedup_ci=(deployed.low, deployed.high) if deployed else None,
        **events,
    )
