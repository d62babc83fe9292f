"""From which tolerance on outputs are right, of what was found of each of them in each call."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from passnet.score import STRICT_T, T_RANGE

# How much larger than eager's the RMS error may be and still be called the same.
_SAME_RMS = 1.25
# A call that is nearer to the truth than eager makes up for others that are farther by no more than this.
_MOST_CREDIT = 1 / _SAME_RMS
# The same for the farthest element, in units of spread and size: this factor within a tenth, where the farthest of
# a few elements is chance, and a smaller one beyond.
_SAME_PEAK, _NEAR, _SAME_FAR_PEAK = 3.0, 0.1, 1.5
# Where eager itself is farther off, being as far off says nothing. With three digits a chain of operators comes
# farther than with four.
_PEAK_CAPS = {"bfloat16": 0.5}


@dataclass(frozen=True)
class Errors:
    """Of one output of one call against float64: the RMS errors in units of its spread, and each side's farthest
    element in units of the spread and its own size, looked for where elements are not within the strict tolerance.
    """

    own: float = 0.0
    eagers: float = 0.0
    farthest: float = 0.0
    eagers_farthest: float = 0.0


@dataclass(frozen=True)
class Part:
    """One output of one call: the levels of the first condition for its elements, and of the second for its scale.

    `group`: what is judged by itself: calls on hard draws, and elements that are all much larger than the others. None
    of one group excuses one of another.
    """

    output: int
    dtype: str
    elements: int | None
    scale: int | None
    errors: Errors | None = None
    group: str = ""


def level(parts: Sequence[Part]) -> int | None:
    """The smallest t at which these outputs of some calls are right."""
    found: list[int | None] = [T_RANGE[0]]
    for kind in {(part.output, part.group) for part in parts}:
        calls = [part for part in parts if (part.output, part.group) == kind]
        elements = latest(part.elements for part in calls)
        if not is_strict(elements) and _as_near_as_eager(calls):
            elements = STRICT_T
        found.append(latest([elements, *(part.scale for part in calls)]))
    return latest(found)


def _as_near_as_eager(calls: Sequence[Part]) -> bool:
    """No element is farther from the truth than eager's farthest, about, and eager is near it; and over all calls the
    RMS error is about eager's, by the geometric mean, so that calls in which eager is poor excuse no others.
    """
    differing = [part.errors for part in calls if not is_strict(part.elements)]
    farthest = max((errors.farthest for errors in differing if errors), default=0.0)
    room = max((errors.eagers_farthest for errors in differing if errors), default=0.0)
    limit = min(_SAME_PEAK * room, max(_SAME_FAR_PEAK * room, _NEAR))
    cap = min(_PEAK_CAPS.get(part.dtype, _NEAR) for part in calls)
    if None in differing or not (room <= cap and farthest <= limit):
        return False
    if any(errors and errors.own > 0.0 == errors.eagers for errors in differing):
        return False
    ratios = [part.errors.own / part.errors.eagers for part in calls if part.errors and part.errors.eagers]
    together = math.fsum(math.log(max(ratio, _MOST_CREDIT)) for ratio in ratios)
    return together <= len(ratios) * math.log(_SAME_RMS)


def latest(levels: Iterable[int | None]) -> int | None:
    """The largest of some levels, None (at no level) being larger than any."""
    found = list(levels)
    return None if any(level is None for level in found) else max(level for level in found if level is not None)


def is_strict(level: int | None) -> bool:
    """Whether what is right from this level on counts as right."""
    return level is not None and level <= STRICT_T
