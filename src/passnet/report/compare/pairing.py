"""Pairs the graphs of two runs and says of each pair what became of it: slower, faster, worse, mended, or the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from passnet.bench.timing.stats import t_quantile
from passnet.errors import UsageError, counted
from passnet.report.compare.statistics import LEVEL, holm, two_sided
from passnet.report.recorded import Interval, RecordedGraph, RecordedRun
from passnet.score import OUTCOME_RULES, Owner

DEFAULT_THRESHOLD = 0.03
# The interval of a record counts on so many degrees of freedom beyond its processes (`Protocol.process_sd_dof`).
_KNOWN_BEFORE = 8
ALARM = 1 - LEVEL


class PairVerdict(StrEnum):
    """What became of a graph from run A to run B."""

    SLOWER = "slower"
    WORSE = "worse outcome"
    FASTER = "faster"
    MENDED = "better outcome"
    UNDECIDED = "no verdict"
    SAME = "no difference"

    @property
    def regression(self) -> bool:
        return self in (PairVerdict.SLOWER, PairVerdict.WORSE)

    @property
    def improvement(self) -> bool:
        return self in (PairVerdict.FASTER, PairVerdict.MENDED)


@dataclass(frozen=True, slots=True)
class PairedGraph:
    """The same graph in two runs. `ratio`: speedup in B over speedup in A; None unless it is right and timed in both.

    `p_value` is of this graph alone. `adjusted` is Holm's, over all graphs of the comparison.
    """

    a: RecordedGraph
    b: RecordedGraph
    ratio: Interval | None
    p_value: float | None
    adjusted: float | None = None
    verdict: PairVerdict = PairVerdict.SAME

    @property
    def name(self) -> str:
        return self.a.name

    @property
    def log_ratio(self) -> float:
        assert self.ratio is not None, f"{self.name}: not timed in both runs"
        return math.log(self.ratio.centre)


@dataclass(frozen=True)
class PairedRuns:
    """The graphs of two runs side by side. `different`: same task and name, but another computation or other inputs."""

    pairs: tuple[PairedGraph, ...]
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]
    different: tuple[str, ...]


def pair_runs(a: RecordedRun, b: RecordedRun, threshold: float = DEFAULT_THRESHOLD) -> PairedRuns:
    """Pair two runs by task, graph and graph hash.

    A graph is slower when its ratio is below 1 - `threshold` and Holm's p-value is below 5 %. It is faster when its
    ratio is above 1 + `threshold`, likewise. Errors: `UsageError` when the runs share no graph, or a graph has several
    records.
    """
    for run in (a, b):
        run.refuse_repeated()
    ours = {graph.name: graph for graph in a.graphs}
    theirs = {graph.name: graph for graph in b.graphs}
    shared = [name for name in ours if name in theirs]
    different = tuple(name for name in shared if ours[name].graph_hash != theirs[name].graph_hash)
    same = [_pair(ours[name], theirs[name]) for name in shared if ours[name].graph_hash == theirs[name].graph_hash]
    if not same:
        raise UsageError(
            f"shares no graph with {a.path}", path=b.path, expected="runs over the same tasks",
            found=f"{counted(len(different), 'graph')} alike by name only" if different else "other tasks",
        )  # fmt: skip
    return PairedRuns(
        pairs=tuple(_judged(same, threshold)),
        only_in_a=tuple(name for name in ours if name not in theirs),
        only_in_b=tuple(name for name in theirs if name not in ours),
        different=different,
    )


def _pair(a: RecordedGraph, b: RecordedGraph) -> PairedGraph:
    if not (a.result.correct and b.result.correct) or a.speed is None or b.speed is None:
        return PairedGraph(a, b, None, None)
    centre = b.speed.centre / a.speed.centre
    half = math.hypot(a.speed.log_half, b.speed.log_half)
    dof = _KNOWN_BEFORE + max(0, min(a.processes, b.processes) - 1)
    p_value = two_sided(math.log(centre), half / t_quantile(LEVEL, dof), dof)
    return PairedGraph(a, b, Interval(centre, centre * math.exp(-half), centre * math.exp(half)), p_value)


def _judged(pairs: Sequence[PairedGraph], threshold: float) -> list[PairedGraph]:
    timed = [pair for pair in pairs if pair.p_value is not None]
    adjusted = dict(zip(map(id, timed), holm([pair.p_value or 0.0 for pair in timed]), strict=True))
    return [
        replace(pair, adjusted=adjusted.get(id(pair)), verdict=_verdict(pair, adjusted.get(id(pair)), threshold))
        for pair in pairs
    ]


def _verdict(pair: PairedGraph, adjusted: float | None, threshold: float) -> PairVerdict:
    if pair.a.outcome != pair.b.outcome:
        return _changed(pair)
    if OUTCOME_RULES[pair.a.outcome].owner is not Owner.CANDIDATE:
        return PairVerdict.UNDECIDED
    if pair.ratio is None or adjusted is None or adjusted >= ALARM:
        return PairVerdict.SAME
    if pair.ratio.centre < 1 - threshold:
        return PairVerdict.SLOWER
    return PairVerdict.FASTER if pair.ratio.centre > 1 + threshold else PairVerdict.SAME


def _changed(pair: PairedGraph) -> PairVerdict:
    """The outcomes differ. Only a candidate's failure is worse: the machine's and the reference's say nothing of it."""
    if any(OUTCOME_RULES[graph.outcome].owner is not Owner.CANDIDATE for graph in (pair.a, pair.b)):
        return PairVerdict.UNDECIDED
    if pair.a.result.correct:
        return PairVerdict.WORSE
    return PairVerdict.MENDED if pair.b.result.correct else PairVerdict.SAME
