"""The six blocks of one group as numbers: with the harness's own cost in them, and without it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passnet.bench.timing import blocks, observe, stats

_Two = tuple[float, float]
# Calls vary. A difference of less than this share of a call is no hidden work, nor one of less than so many standard
# errors, nor one in so few groups. A standard deviation is so many median deviations of normal numbers.
_EVEN, _SURELY, _FEWEST, _NORMAL = 0.02, 4.0, 8, 1.4826


@dataclass(frozen=True)
class GrossGroup:
    """Microseconds a call of two blocks a side, with what a call costs in which nothing is computed.

    `late_us`: what drawing took the candidate beyond eager's time. `uneven_us`: what calls take by their mean beyond
    undisturbed ones, of eager and of the candidate.
    """

    eager: _Two
    candidate: _Two
    control: _Two
    late_us: float = 0.0
    uneven_us: _Two = (0.0, 0.0)

    @classmethod
    def of(cls, found: Mapping[str, Sequence[blocks.Block]]) -> GrossGroup:
        (a, b), (c, d), (e, f) = (
            [block.us_per_call for block in found[side]] for side in ("eager", "candidate", "control")
        )
        eager, candidate = (
            statistics.mean(block.uneven_us for block in found[side]) for side in ("eager", "candidate")
        )
        late_us = observe.late_us(found["eager"], found["candidate"])
        return cls((a, b), (c, d), (e, f), late_us, (eager, candidate))

    def net(self, harness_us: float, hidden_us: float = 0.0) -> stats.Quad:
        """The same without that cost. `hidden_us`: of `hidden_us`, part of the candidate's calls.

        Lateness is added after the subtraction, because work during drawing took no part in delivering. It is added
        `LATE_COUNTS` times.
        """
        eager, candidate, control = (_net(two, harness_us) for two in (self.eager, self.candidate, self.control))
        more = observe.LATE_COUNTS * self.late_us + hidden_us
        return stats.Quad(eager, (candidate[0] + more, candidate[1] + more), control)


def hidden_us(groups: Sequence[GrossGroup]) -> float:
    """What a candidate's calls take by their mean beyond undisturbed ones, above what eager's do in the same groups.

    A block's figure is of undisturbed calls, because what a neighbour does must not count. Then work in some of many
    calls would not count either. It counts by this. Nothing counts where it is little, or where groups do not surely
    say so: neighbours disturb one side more than the other by chance.
    """
    if len(groups) < _FEWEST:
        return 0.0
    more = [group.uneven_us[1] - group.uneven_us[0] for group in groups]
    middle = statistics.median(more)
    spread = _NORMAL * statistics.median(abs(us - middle) for us in more)
    doubt = _SURELY * spread * math.sqrt(stats.median_variance(len(more)))
    calls = statistics.median(us for group in groups for us in group.candidate)
    return middle if middle - doubt > _EVEN * calls else 0.0


def _net(two: _Two, harness_us: float) -> _Two:
    # Less than this cannot be told from the harness's own cost, so a faster side gets no more credit.
    least = max(blocks.RESOLUTION_SHARE * harness_us, 1e-3)
    return max(two[0] - harness_us, least), max(two[1] - harness_us, least)
