"""What is wrong with outputs, in a line: which one, on which draws, what limit was broken, and eager's error."""

from __future__ import annotations

import math
from collections.abc import Sequence

from passnet.bench.compare.closeness import GRAPH, HARD
from passnet.bench.compare.comparison import Comparison
from passnet.bench.compare.levels import Part, is_strict, latest, of_one_kind
from passnet.bench.compare.measures import (
    HARD_GROUP,
    HARD_PART,
    HARD_ROOM,
    LOW_GROUP,
    MASK_GROUP,
    SMALL_PART,
    is_of_hard_draw,
)
from passnet.score import STRICT_T, tolerance

_OF_GROUP = {
    "": "",
    LOW_GROUP: ", its small elements",
    "high": ", its large elements",
    HARD_GROUP: " on hard draws",
    MASK_GROUP: " where a mask filled it on hard draws",
    SMALL_PART: ", a small part",
    HARD_PART: ", a small part on hard draws",
    "index": "",
}


def objection(found: Comparison) -> str:
    """The worst of all objections to the outputs. Errors are in units of the output's spread, and of an element's own
    size and the spread.

    It says so where the published condition, which compares elements with eager's alone, has no objection.
    """
    parts = of_one_kind(found.parts)
    if not parts:
        return "nothing was compared"
    published = "; close to eager's all the same" if is_strict(found.published_at) and parts[0].group != "index" else ""
    usual = any(part.said for part in parts) and parts[0].group != "index"
    group = _OF_GROUP.get(parts[0].group, "") or (" on usual draws" if usual else "")
    return f"output {parts[0].output}{group}: {_said(parts)}{published}"


def is_of_infinities(found: Comparison) -> bool:
    """Whether the objection tells of infinities or NaN: those that stand where eager has numbers, or that are missing.

    Other values without an error to measure are integers.
    """
    parts = of_one_kind(found.parts)
    return any(part.said and not tolerance(part.dtype, 0).exact for part in parts)


def _said(parts: Sequence[Part]) -> str:
    for part in parts:
        if part.said:
            return part.said
    if not is_strict(latest(part.scale for part in parts)):
        return _beyond_scale([part for part in parts if not is_strict(part.scale)])
    return _beyond_elements(parts)


def _beyond_scale(parts: Sequence[Part]) -> str:
    """The largest RMS error beside eager's, and beside the tolerance. One of the two must allow it."""
    known = [(part, part.errors) for part in parts if part.errors is not None]
    if not known:
        return "errors above the spread"
    part, errors = max(known, key=lambda each: _times(each[1].own, each[1].eagers))
    bound = tolerance(part.dtype, STRICT_T)
    limit = max(bound.rtol, bound.atol * (HARD_ROOM if is_of_hard_draw(part.group) else 1.0))
    over = f", and {errors.own / limit:.3g} times the tolerance of {limit:.3g}" if 0.0 < limit < errors.own else ""
    return f"an RMS error of {errors.own:.4g} of the outputs' spread, {_beside(errors.own, errors.eagers)}{over}"


def _beyond_elements(parts: Sequence[Part]) -> str:
    """Which limit of `Closeness` was broken beside the tolerance of elements, and by what factor."""
    calls = [part.errors for part in parts if part.errors is not None]
    beyond = [part.errors for part in parts if part.errors is not None and not is_strict(part.elements)]
    if not any(each.farthest or each.eagers_farthest for each in beyond):
        return "elements are beyond the tolerance"
    rule = HARD if is_of_hard_draw(parts[0].group) else GRAPH
    dtype = "bfloat16" if parts[0].coarse else parts[0].dtype
    limits = [(each, rule.farthest_allowed(each, beyond, dtype)) for each in beyond]
    worst, limit = max(limits, key=lambda each: _times(each[0].farthest, each[1]))
    far, room = worst.farthest, worst.eagers_farthest
    if limit < far:
        poor = f"; where eager is more than {limit:.3g} off, it is no measure" if far <= rule.far_peak * room else ""
        over = f"{far / limit:.3g} times the {limit:.3g} that is allowed" if limit else "where none may be"
        return f"an element is {far:.3g} of its size off, {over}; eager's farthest is {room:.3g}{poor}"
    if any(each.own > 0.0 == each.eagers for each in beyond):
        return "elements are beyond the tolerance, and eager is exact there"
    mean = rule.rms_ratio(calls, dtype)
    if mean <= rule.rms:
        return "elements are beyond the tolerance"
    return f"elements are beyond the tolerance, and RMS errors {mean:.3g} times eager's; {rule.rms:g} is allowed"


def _beside(own: float, eagers: float) -> str:
    return f"{own / eagers:.3g} times eager's {eagers:.4g}" if eagers else "eager's 0"


def _times(own: float, eagers: float) -> float:
    return own / eagers if eagers else math.inf if own else 0.0
