"""What a comparison of outputs says, and by which criteria."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from passnet.bench.compare.levels import Part, latest, level
from passnet.bench.compare.measures import group_of_all
from passnet.score import STRICT_T
from passnet.score.tolerances import T_MIN


@dataclass(frozen=True)
class Comparison:
    """The worst of one or more outputs, each kind of error separately.

    `parts`: the objections to an output in a call.
    `published_at`: smallest t at which all are right against eager alone and without the scale condition. None at
    none.
    `fp64_ratio`: how many times farther from float64 than eager is. None without a float64 reference or where eager
    rounds nothing.
    `followed`: the number of calls that are right by other choices than eager's.
    """

    parts: tuple[Part, ...] = ()
    published_at: int | None = T_MIN
    max_abs: float = 0.0
    max_rel: float = 0.0
    scaled_error: float = 0.0
    fp64_ratio: float | None = None
    non_finite: bool = False
    followed: int = 0

    @functools.cached_property
    def correct_at(self) -> int | None:
        """Smallest t at which all are right, None at none."""
        return level(self.parts)

    @property
    def strict(self) -> bool:
        return self.correct_at is not None and self.correct_at <= STRICT_T


@dataclass(frozen=True)
class Criteria:
    """The two numbers of the scale condition, see `Protocol`, and what is known of the draw and of eager.

    `hard`: whether the draw's distribution is a hard one. `coarse`: whether eager stores bfloat16 on the way, whatever
    its outputs are.
    """

    fp64_factor: float
    scale_cap: float
    hard: bool = False
    coarse: bool = False


def worst(comparisons: Iterable[Comparison]) -> Comparison:
    """One comparison that is as bad as the worst of each kind. The parts are kept, because all calls together judge
    them.
    """
    rows = list(comparisons)
    return Comparison(
        parts=tuple(part for row in rows for part in row.parts),
        published_at=latest(row.published_at for row in rows),
        max_abs=max(row.max_abs for row in rows),
        max_rel=max(row.max_rel for row in rows),
        scaled_error=max(row.scaled_error for row in rows),
        fp64_ratio=max((row.fp64_ratio for row in rows if row.fp64_ratio is not None), default=None),
        non_finite=any(row.non_finite for row in rows),
        followed=sum(row.followed for row in rows),
    )


def no_farther(found: Comparison, clear: Comparison) -> Comparison:
    """The comparison of a call whose elements are no farther off than in another comparison of it, in which those that
    nobody knows better are left out. All other errors stay.
    """
    if [(part.output, part.group) for part in found.parts] != [(part.output, part.group) for part in clear.parts]:
        return found
    parts = tuple(map(_no_farther, found.parts, clear.parts))
    return replace(found, parts=parts)


def _no_farther(part: Part, clear: Part) -> Part:
    if part.errors is None or clear.errors is None:
        return part
    return replace(part, errors=replace(part.errors, farthest=min(part.errors.farthest, clear.errors.farthest)))


def hopeless(
    output: int, dtype: str, said: str, distance: float = math.inf, *, hard: bool = False, non_finite: bool = False
) -> Comparison:
    """An output that is right at no tolerance. `said`: what is wrong with it. `hard`: the draw is a hard one."""
    part = Part(output, dtype, None, None, group=group_of_all(hard=hard), said=said)
    return Comparison((part,), None, distance, math.inf, math.inf, non_finite=non_finite)


def wrong_indices(output: int, level: int | None, said: str) -> Comparison:
    """The judgement on indices in an output that are right from a level on. `said`: what is wrong with them before."""
    return Comparison((Part(output, "index", level, T_MIN, group="index", said=said),))
