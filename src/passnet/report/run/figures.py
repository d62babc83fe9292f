"""The figures of a run for its report, all from its records: scores with intervals, conventions, groups, curves."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from passnet.bench.record.conventions import CONVENTIONS, EVERYTHING, MeasuredMean, RegimeSummary, by_regime
from passnet.bench.record.records import GraphRecord
from passnet.report.run.measured import measured, speed_of, unresolved
from passnet.report.run.sources import RunSources
from passnet.report.traits import UNKNOWN, Traits
from passnet.score import (
    OUTCOME_RULES,
    T_RANGE,
    Figure,
    GraphResult,
    Outcome,
    Owner,
    ScoreError,
    score_benchmark,
    score_results,
    solved_figures,
    solved_of,
)

# The words of a verdict: by the whole interval. Without `surely`, a figure alone is below 1.
FASTER, TIE, SLOWER = "surely faster", "tie", "surely slower"


@dataclass(frozen=True)
class GroupFigures:
    """The figures of some graphs of a run."""

    trait: str
    value: str
    graphs: int
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class Convention:
    """The figures by one convention, over the graphs whose record has it. `known` of `right` graphs that are right."""

    name: str
    known: int
    right: int
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class RunFigures:
    """Everything that the page says of a run's scores. `reason`: why there is no score.

    `regimes`: the speedups by convention, of all graphs and by what limits eager. `unresolved`: right graphs whose
    device time is too short for a figure.
    """

    graphs: int
    scored: int
    tasks: int
    outcomes: Mapping[str, int]
    figures: Mapping[str, Figure]
    solved_reason: str | None
    reason: str | None
    conventions: tuple[Convention, ...]
    regimes: Mapping[str, RegimeSummary]
    groups: tuple[GroupFigures, ...]
    unresolved: int
    es: Mapping[int, float]
    s: Mapping[int, float]
    right_at: Mapping[int, float]


def run_figures(sources: RunSources) -> RunFigures:
    """The figures of a run."""
    records = sources.run.records
    results = [record.result() for record in records]
    traits = [sources.traits(record) for record in records]
    figures, reason = _benchmark(results)
    figures |= dict(solved_figures(results)) if figures else {}
    conventions = tuple(_conventions(records, results))
    regimes = _regimes(records, conventions)
    scored = [result for result in results if OUTCOME_RULES[result.outcome].owner is Owner.CANDIDATE]
    curves = score_results(scored) if scored else None
    return RunFigures(
        graphs=len(records),
        scored=len(scored),
        tasks=len({record.task for record in records}),
        outcomes=Counter(record.outcome.value for record in records),
        figures=figures,
        solved_reason=solved_of(results).reason if scored else None,
        reason=reason,
        conventions=conventions,
        regimes=regimes,
        groups=tuple(_groups(results, traits, regimes)),
        unresolved=sum(r.outcome is Outcome.CORRECT and unresolved(r.timing) for r in records),
        es=dict(curves.es) if curves else {},
        s=dict(curves.s) if curves else {},
        right_at={t: sum(r.right_at(t) for r in scored) / len(scored) for t in T_RANGE} if scored else {},
    )


def task_scores(records: Sequence[GraphRecord]) -> dict[str, dict[str, Any]]:
    """Task -> AS, solved share and speedup of its graphs. None where nothing of it counts."""
    tasks: dict[str, list[GraphResult]] = {}
    for record in records:
        tasks.setdefault(record.task, []).append(record.result())
    return {task: _task_score(results) for task, results in tasks.items()}


def _task_score(results: Sequence[GraphResult]) -> dict[str, Any]:
    right = [result.known_speedup for result in results if result.correct]
    solved = solved_of(results)
    try:
        aggregated = score_results(results).aggregated
    except ScoreError:  # every failure in it is the reference's or the machine's
        aggregated = None
    return {
        "AS": aggregated,
        "solved": solved.share,
        "graphs": len(results),
        "scored": sum(OUTCOME_RULES[result.outcome].owner is Owner.CANDIDATE for result in results),
        "correct": len(right),
        "speedup": math.exp(math.fsum(map(math.log, right)) / len(right)) if right else None,
    }


def score_of(records: Sequence[GraphRecord]) -> Mapping[str, Figure]:
    """The figures of some records. Empty where nothing of them counts."""
    return _benchmark([record.result() for record in records])[0]


def _benchmark(results: Sequence[GraphResult]) -> tuple[dict[str, Figure], str | None]:
    """The figures with their intervals, and why there are none."""
    try:
        return dict(score_benchmark(results).figures), None
    except ScoreError as error:
        return {}, str(error)


def _conventions(records: Sequence[GraphRecord], results: Sequence[GraphResult]) -> list[Convention]:
    """The conventions that at least one record has. A right graph that lacks one is left out of it.

    A mean of one task has no interval.
    """
    found = []
    for name in CONVENTIONS:
        speeds = [speed_of(record, name) for record in records]
        if not any(speeds):
            continue
        kept = [_with_speed(r, s) for r, s in zip(results, speeds, strict=True) if s is not None or r.speedup is None]
        right = sum(result.correct for result in results)
        known = sum(result.correct for result in kept)
        figures, _ = _benchmark(kept)
        if figures and len({result.task for result in kept if result.correct}) == 1:
            figures["speedup_gmean"] = Figure(figures["speedup_gmean"].value, None, None)
        found.append(Convention(name, known, right, figures))
    return found


def _with_speed(result: GraphResult, speed: float | None) -> GraphResult:
    return result if speed is None or result.speedup is None else dataclasses.replace(result, speedup=speed)


def _regimes(records: Sequence[GraphRecord], conventions: Sequence[Convention]) -> dict[str, RegimeSummary]:
    """The means by regime. Those of all graphs are the figures of the conventions: a quantity has one interval."""
    found = by_regime(measured(records))
    same = {one.name: MeasuredMean(one.known, one.figures["speedup_gmean"]) for one in conventions if one.known}
    everything = found[EVERYTHING]
    return found | {EVERYTHING: RegimeSummary(everything.graphs, {**everything.means, **same})}


_TRAITS: Final[Mapping[str, Callable[[Traits], str]]] = {
    "dtype": lambda traits: traits.dtype,
    "kind": lambda traits: traits.kind,
    "domain": lambda traits: traits.domain,
    "library": lambda traits: traits.library,
    "regime": lambda traits: traits.regime,
}


def _groups(
    results: Sequence[GraphResult], traits: Sequence[Traits], regimes: Mapping[str, RegimeSummary]
) -> list[GroupFigures]:
    """The groups of every trait that tells graphs apart. The mean speedup of a regime is the one of `regimes`."""
    found = []
    for name, read in _TRAITS.items():
        members: dict[str, list[GraphResult]] = {}
        for result, trait in zip(results, traits, strict=True):
            members.setdefault(read(trait), []).append(result)
        if len(members) < 2 and (name != "dtype" or UNKNOWN in members):
            continue
        for value, rows in sorted(members.items(), key=lambda item: -len(item[1])):
            figures = _benchmark(rows)[0]
            if name == "regime" and value in regimes and figures:
                figures["speedup_gmean"] = regimes[value].means["direct"].figure
            found.append(GroupFigures(name, value, len(rows), figures))
    return found


def speeds_by(records: Sequence[GraphRecord], traits: Sequence[Traits], name: str) -> dict[str, list[float]]:
    """Value of a trait -> the direct speedups of the right graphs that have it."""
    found: dict[str, list[float]] = {}
    for record, trait in zip(records, traits, strict=True):
        if record.outcome is Outcome.CORRECT and record.timing is not None:
            found.setdefault(_TRAITS[name](trait), []).append(record.timing.speedup)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def verdict(record: GraphRecord) -> str:
    """The record in a word or two: `FASTER`, `SLOWER` or `TIE` if it is right, else what it is."""
    owner = OUTCOME_RULES[record.outcome].owner
    if owner is not Owner.CANDIDATE:
        return "not judged"
    if record.outcome is not Outcome.CORRECT or record.timing is None:
        return "cheats" if record.outcome is Outcome.INTEGRITY else "not right"
    low, high = record.timing.speedup_ci
    return FASTER if low > 1 else SLOWER if high < 1 else TIE
