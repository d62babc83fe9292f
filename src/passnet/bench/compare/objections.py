"""What is wrong with outputs, in a line: which one, on which draws, by which condition, and how far off eager is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from passnet.bench.compare.comparison import Comparison
from passnet.bench.compare.levels import Part, is_strict, latest, of_one_kind
from passnet.bench.compare.measures import HARD_GROUP, MASK_GROUP

_OF_GROUP = {
    "": "",
    "low": ", its small elements",
    "high": ", its large elements",
    HARD_GROUP: " on hard draws",
    MASK_GROUP: " where a mask filled it on hard draws",
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
    return f"output {parts[0].output}{_OF_GROUP.get(parts[0].group, '')}: {_said(parts)}{published}"


def _said(parts: Sequence[Part]) -> str:
    for part in parts:
        if part.said:
            return part.said
    if parts[0].group == "index":
        return "indices point to other values"
    errors = [part.errors for part in parts if part.errors is not None]
    if not is_strict(latest(part.scale for part in parts)):
        outside = [part.errors for part in parts if part.errors is not None and not is_strict(part.scale)]
        worst = max(outside, key=lambda each: _times(each.own, each.eagers), default=None)
        return f"an RMS error of {worst.own:.4g} spreads{_eagers(worst.eagers)}" if worst else "errors above the spread"
    known = [each for each in errors if each.farthest or each.eagers_farthest]
    if not known:
        return "elements are beyond the tolerance"
    far = max(known, key=lambda each: _times(each.farthest, each.eagers_farthest))
    rms = max(_times(each.own, each.eagers) for each in errors)
    more = f"; RMS errors up to {rms:.3g} times eager's" if math.isfinite(rms) and rms > 1.0 else ""
    return f"an element is {far.farthest:.3g} of its size off{_eagers(far.eagers_farthest)}{more}"


def _eagers(error: float) -> str:
    return f", eager's {error:.4g}"


def _times(own: float, eagers: float) -> float:
    return own / eagers if eagers else math.inf if own else 0.0
