"""The six blocks of one group as numbers: with the harness's own cost in them, and without it."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from passnet.bench.timing import blocks, observe, stats

_Two = tuple[float, float]
_Calls = tuple[tuple[int, float], ...]
_Side = Literal["eager", "candidate", "control"]
# Calls vary. A difference of less than this share of a call is no hidden work, nor one of less than so many standard
# errors, nor one in so few groups. A standard deviation is so many median deviations of normal numbers.
_EVEN, _SURELY, _FEWEST, _NORMAL = 0.02, 4.0, 8, 1.4826
# The groups are left out in so many parts, to see how far a figure of all of them is chance.
_PARTS = 8
# A candidate could vary on purpose, so that nothing is sure. More than so many times the control's spread is no doubt.
_VARIES = 2.0


class ByDraw(NamedTuple):
    """Draw and microseconds of each call of two blocks a side."""

    eager: _Calls
    candidate: _Calls
    control: _Calls


class Uneven(NamedTuple):
    """What calls of each side take by their mean beyond undisturbed ones."""

    eager: float = 0.0
    candidate: float = 0.0
    control: float = 0.0


class Held(NamedTuple):
    """Microseconds for which each side held the inputs of a call before it said that it waits for the call."""

    eager: float = 0.0
    candidate: float = 0.0
    control: float = 0.0


_EVENLY, _NO_CALLS, _NOT_HELD = Uneven(), ByDraw((), (), ()), Held()


@dataclass(frozen=True)
class GrossGroup:
    """Microseconds a call of two blocks a side, with what a call costs in which nothing is computed.

    `late_us`: of `observe.counted_us`, part of the candidate's calls.
    """

    eager: _Two
    candidate: _Two
    control: _Two
    late_us: float = 0.0
    uneven_us: Uneven = _EVENLY
    by_draw: ByDraw = _NO_CALLS
    held: Held = _NOT_HELD

    @classmethod
    def of(cls, found: Mapping[str, Sequence[blocks.Block]]) -> GrossGroup:
        sides = [found[side] for side in ("eager", "candidate", "control")]
        (a, b), (c, d), (e, f) = ([block.us_per_call for block in two] for two in sides)
        uneven = Uneven(*(statistics.mean(block.uneven_us for block in two) for two in sides))
        by_draw = ByDraw(*(tuple(itertools.chain.from_iterable(block.by_draw for block in two)) for two in sides))
        late_us = observe.counted_us(found["eager"], found["control"], found["candidate"])
        held = Held(*(statistics.mean(block.holding_us or 0.0 for block in two) for two in sides))
        return cls((a, b), (c, d), (e, f), late_us, uneven, by_draw, held)

    def net(self, harness_us: float, hidden_us: float = 0.0, held_us: float = 0.0) -> stats.Quad:
        """The same without that cost. `hidden_us`, `held_us`: of the functions of these names, part of the candidate's
        calls.

        Lateness is added after the subtraction, because work between calls took no part in delivering.
        """
        eager, candidate, control = (_net(two, harness_us) for two in (self.eager, self.candidate, self.control))
        more = max(self.late_us, held_us) + hidden_us
        return stats.Quad(eager, (candidate[0] + more, candidate[1] + more), control)


def hidden_us(groups: Sequence[GrossGroup]) -> float:
    """What a candidate's calls take beyond its blocks' figures, above what eager's do in the same groups.

    A block's figure is of undisturbed calls, because what a neighbour does must not count. Then work in some of many
    calls would not count either. It counts by this: what calls take by their mean, and what those of each draw take.
    Nothing counts where it is little, or where groups do not surely say so: neighbours disturb one side more than the
    other by chance.
    """
    if len(groups) < _FEWEST:
        return 0.0
    return max(_in_some_calls(groups), _in_some_draws(groups))


def held_us(groups: Sequence[GrossGroup]) -> float:
    """For how much longer a candidate holds the inputs of its calls than eager does, where groups surely say so.

    A busy machine makes eager's longest wait of a few long by chance, again and again. The median of many groups does
    not follow. What is within the machine's own spread cannot be told from it.
    """
    if len(groups) < _FEWEST:
        return 0.0
    more = [group.held.candidate - group.held.eager for group in groups]
    middle, doubt = _middle(more, [group.held.control - group.held.eager for group in groups])
    return middle if middle > doubt else 0.0


def _in_some_calls(groups: Sequence[GrossGroup]) -> float:
    more = [group.uneven_us.candidate - group.uneven_us.eager for group in groups]
    middle, doubt = _middle(more, [group.uneven_us.control - group.uneven_us.eager for group in groups])
    return middle if middle - doubt > _EVEN * _typical(groups) else 0.0


def _middle(more: Sequence[float], controls: Sequence[float]) -> tuple[float, float]:
    """The median of a candidate's differences from eager, and how much of it may be chance."""
    spread = min(_deviation(more), _VARIES * _deviation(controls))
    return statistics.median(more), _SURELY * spread * math.sqrt(stats.median_variance(len(more)))


def _in_some_draws(groups: Sequence[GrossGroup]) -> float:
    """What the mean over draws takes beyond the figure of blocks, in which the quickest draws decide.

    A neighbour disturbs calls of all draws, and of all sides. So the ratio of two sides says what is the kernel's own,
    and that of control and eager what is chance.
    """
    own = _draws_beyond(groups, "candidate")
    if own <= _EVEN:
        return 0.0
    chance = abs(_draws_beyond(groups, "control"))
    parts = [
        _draws_beyond([group for at, group in enumerate(groups) if at % _PARTS != part], "control")
        for part in range(_PARTS)
    ]
    # The jackknife's standard error.
    middle = statistics.fmean(parts)
    error = math.sqrt((_PARTS - 1) / _PARTS * sum((part - middle) ** 2 for part in parts))
    return math.expm1(own) * _typical(groups) if own > chance + _SURELY * error else 0.0


def _draws_beyond(groups: Sequence[GrossGroup], side: _Side) -> float:
    """The logarithm of what the mean over draws takes beyond blocks on this side, as against eager's side."""

    def beyond(side: _Side) -> float:
        times: dict[int, list[float]] = {}
        for group in groups:
            for draw, us in getattr(group.by_draw, side):
                times.setdefault(draw, []).append(us)
        of_blocks = statistics.median(us for group in groups for us in getattr(group, side))
        if not times or of_blocks <= 0:
            return 0.0
        return math.log(statistics.fmean(map(blocks.lower_quartile, times.values())) / of_blocks)

    return beyond(side) - beyond("eager")


def _deviation(values: Sequence[float]) -> float:
    middle = statistics.median(values)
    return _NORMAL * statistics.median(abs(value - middle) for value in values)


def _typical(groups: Sequence[GrossGroup]) -> float:
    return statistics.median(us for group in groups for us in group.candidate)


def _net(two: _Two, harness_us: float) -> _Two:
    # Less than this cannot be told from the harness's own cost, so a faster side gets no more credit.
    least = max(blocks.RESOLUTION_SHARE * harness_us, 1e-3)
    return max(two[0] - harness_us, least), max(two[1] - harness_us, least)
