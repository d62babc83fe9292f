"""The tolerance from which on outputs are right, from the findings on each of them in each call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from passnet.bench.compare.closeness import GRAPH, HARD, Errors
from passnet.bench.compare.measures import is_of_hard_draw
from passnet.score import STRICT_T, T_RANGE


@dataclass(frozen=True)
class Part:
    """One output of one call: the levels of the first condition for its elements, and of the second for its scale.

    `group`: a set that is judged separately, such as calls on hard draws, or elements that are all much larger than
    the others. One group excuses no other. `coarse`: eager stores bfloat16 on the way to it. `said`: what is wrong
    where no error can be measured.
    """

    output: int
    dtype: str
    elements: int | None
    scale: int | None
    errors: Errors | None = None
    group: str = ""
    coarse: bool = False
    said: str = ""


def level(parts: Sequence[Part]) -> int | None:
    """The smallest t at which these outputs of some calls are right."""
    return latest([T_RANGE[0], *map(_level_of_kind, _by_kind(parts))])


def of_one_kind(parts: Sequence[Part]) -> list[Part]:
    """The findings on that output and group which are right at the largest tolerance only."""
    kinds = _by_kind(parts)
    late = latest(map(_level_of_kind, kinds))
    return next((calls for calls in kinds if _level_of_kind(calls) == late), [])


def _by_kind(parts: Sequence[Part]) -> list[list[Part]]:
    kinds: dict[tuple[int, str], list[Part]] = {}
    for part in parts:
        kinds.setdefault((part.output, part.group), []).append(part)
    return list(kinds.values())


def _level_of_kind(calls: Sequence[Part]) -> int | None:
    elements = latest(part.elements for part in calls)
    if not is_strict(elements) and _as_near_as_eager(calls):
        elements = STRICT_T
    return latest([elements, *(part.scale for part in calls)])


def _as_near_as_eager(calls: Sequence[Part]) -> bool:
    """Whether one output's errors over some calls are about eager's."""
    known = [(part.errors, is_strict(part.elements)) for part in calls if part.errors is not None]
    beyond = [errors for errors, strict in known if not strict]
    if len(beyond) < sum(not is_strict(part.elements) for part in calls):
        return False
    rule = HARD if is_of_hard_draw(calls[0].group) else GRAPH
    return rule.holds([errors for errors, _ in known], beyond, "bfloat16" if calls[0].coarse else calls[0].dtype)


def latest(levels: Iterable[int | None]) -> int | None:
    """The largest of some levels. None (at no level) is larger than any."""
    found = list(levels)
    return None if None in found else max((level for level in found if level is not None), default=T_RANGE[0])


def is_strict(level: int | None) -> bool:
    """Whether a result that is right from this level on counts as right."""
    return level is not None and level <= STRICT_T
