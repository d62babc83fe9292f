"""Cuts one full graph into verified pieces of every kind: single operators, typical ranges, fusible ranges."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from passnet.dataset.capture.record import shortened
from passnet.dataset.cut.fusible import disjoint, fusible_ranges
from passnet.dataset.cut.parent import Parent, ParentUnfit, Span, sole_ranges
from passnet.dataset.cut.pieces import Answers, Cut, CutLimits, cut_all, named
from passnet.dataset.cut.schedule import kernel_counts
from passnet.dataset.layout import FUSIBLE, SOLE_OP, TYPICAL
from passnet.graph import Graph

KINDS = (SOLE_OP, TYPICAL, FUSIBLE)
Range = tuple[int, int]
# Equal computations at other places may be proved where the first one is not (constant values, for one).
_PLACES_TRIED = 2
_LIMITS = CutLimits()


@dataclass
class Decomposition:
    """The pieces of one graph by kind and place, the ranges that gave none with reasons, and the seconds of each step.

    Ranges with the same computation, at any shapes, are one piece with all their places. It is the first one that can
    be proved.
    """

    pieces: list[Graph] = field(default_factory=list)
    drops: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)


def decompose(
    graph: Graph,
    ranges: Sequence[Sequence[int]],
    *,
    kinds: Sequence[str] = KINDS,
) -> Decomposition:
    """All pieces of a full graph. `ranges` are its typical ranges, [start, end) over its operators (see `fold`).

    Each piece is a `Graph` that was run by itself and gave the same values as its operators inside the whole
    (`meta["verified"]` is "values"). If the whole is too large or its values are unknown, only shapes and dtypes were
    compared ("metadata"). Raises GraphError for a graph whose text cannot be loaded.
    """
    result = Decomposition()
    clock = _Clock(result.seconds)
    parent = Parent(graph)
    clock.lap("load")
    by: Mapping[str, object] = {}
    found: dict[str, list[Range]] = {}
    if SOLE_OP in kinds:
        found[SOLE_OP] = list(sole_ranges(parent))
    if TYPICAL in kinds:
        found[TYPICAL] = [(int(start), int(end)) for start, end in ranges]
    if FUSIBLE in kinds:
        found[FUSIBLE], by = _fusible(parent, result.drops)
        clock.lap("schedule")
    groups = {kind: _groups(parent, kind, found[kind], result.drops) for kind in found}
    clock.lap("borders")
    answers = _proved(parent, [group for kind in groups for group in groups[kind]])
    for kind, members in groups.items():
        for group in members:
            span, answer = _best(group, answers)
            if isinstance(answer, str):
                result.drops[f"{kind}: {answer}"] += 1
            else:
                result.pieces.append(_piece(graph, kind, group, span, answer, by if kind == FUSIBLE else {}))
    clock.lap("verify")
    return result


def _proved(parent: Parent, groups: Sequence[Sequence[Span]]) -> Answers:
    """The result of the first place of every group. If that gave no piece, the result of the next place."""
    answers: Answers = {}
    for attempt in range(_PLACES_TRIED):
        spans = {
            (group[attempt].start, group[attempt].end): group[attempt]
            for group in groups
            if len(group) > attempt and (attempt == 0 or isinstance(_best(group, answers)[1], str))
        }
        if spans.keys() - answers.keys():
            answers |= cut_all(parent, [spans[place] for place in sorted(spans)], _LIMITS)
    return answers


def _best(group: Sequence[Span], answers: Answers) -> tuple[Span, Cut | str]:
    """The first place of a group that gave a piece, else the first one with the reason."""
    known = [(span, answers[span.start, span.end]) for span in group if (span.start, span.end) in answers]
    return next((pair for pair in known if not isinstance(pair[1], str)), known[0])


def _fusible(parent: Parent, drops: Counter[str]) -> tuple[list[Range], Mapping[str, object]]:
    """Ranges that one kernel can do, of two or more operators that compute. None when Inductor cannot tell.

    The kernels are those of the whole graph as Inductor schedules it for a CUDA device, present or not.
    """
    try:
        counts = kernel_counts(parent.graph.module(propagated=False), parent.graph.specs)
    except Exception as error:  # noqa: BLE001  Inductor and what it traces raise whatever they like
        drops[f"{FUSIBLE}: not scheduled, {shortened(error)}"] += 1
        return [], {}
    wanted = [
        (start, end)
        for start, end in fusible_ranges(counts.counts)
        if sum(place in counts.computing for place in range(start, end)) > 1
    ]
    return wanted, {"counted_by": counts.by}


def _groups(parent: Parent, kind: str, ranges: Sequence[Range], drops: Counter[str]) -> list[list[Span]]:
    """The ranges with borders that only tensors cross, equal computations together, in order of their first place."""
    groups: dict[str, list[Span]] = {}
    for span in _snapped(parent, kind, ranges, drops):
        groups.setdefault(parent.key(span, shapes=False), []).append(span)
    return list(groups.values())


def _snapped(parent: Parent, kind: str, ranges: Sequence[Range], drops: Counter[str]) -> Iterator[Span]:
    spans: dict[Range, Span] = {}
    for start, end in ranges:
        try:
            span = parent.snapped(start, end, growth=_LIMITS.growth, items_only=kind == SOLE_OP)
        except ParentUnfit as reason:
            drops[f"{kind}: {reason}"] += 1
            continue
        spans[span.start, span.end] = span
    # A border that moved may have reached the next range.
    kept = disjoint(spans)
    if len(kept) < len(spans):
        drops[f"{kind}: overlaps another"] += len(spans) - len(kept)
    for place in kept:
        yield spans[place]


def _piece(graph: Graph, kind: str, group: Sequence[Span], at: Span, cut: Cut, extra: Mapping[str, object]) -> Graph:
    """The piece with the meta data of the graph it was cut from and all its places there."""
    places = [[span.start, span.end] for span in group]
    meta = {key: value for key, value in graph.meta.items() if key not in {"op_names", "failed_gates"}}
    meta |= {"kind": kind, "op_names": at.op_names, "verified": cut.verified, **extra}
    if cut.writes_input:
        meta["writes_input"] = True
    name = f"{graph.name}_start{at.start}_end{at.end}_0"
    return named(cut, name, meta, dict.fromkeys(sorted(graph.sources or {}), places))


class _Clock:
    """Seconds between laps."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds, self._last = seconds, time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._seconds[name] = self._seconds.get(name, 0.0) + now - self._last
        self._last = now
