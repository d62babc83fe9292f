"""Scores by group: domain, dtype, kind, regime or difficulty. What cannot be told is in the group "unknown".

| group | told by |
|---|---|
| dtype | the name of the graph (the published layout), else the metadata of its task |
| kind | the metadata of the task, else the name of the graph, as `passnet tasks show` has it |
| domain | the metadata of its task: the tag of the model library |
| difficulty | the graph itself: its number of operations |
| regime | the record: eager's device time beside the time for issuing its kernels |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from passnet.graph import Graph
from passnet.graph.bundled import REGIMES
from passnet.report.recorded import RecordedGraph, RecordedRun
from passnet.report.run_tasks import RunTasks
from passnet.report.traits import UNKNOWN, Traits
from passnet.score import FIGURES, Figure, GraphResult, ScoreError, ScoreParams, score_benchmark, solved_figures

GROUPINGS: Final = ("domain", "dtype", "kind", "regime", "difficulty")
# Groupings that need the graphs of the tasks where the name of a graph does not tell.
FROM_TASKS: Final = frozenset({"domain", "dtype", "kind", "difficulty"})
_SIZES = ((4, "1 to 4 operations"), (8, "5 to 8 operations"), (16, "9 to 16 operations"), (32, "17 to 32 operations"))
_LARGER = "33 operations and more"
_ORDER = [*(words for _, words in _SIZES), _LARGER, *REGIMES]
_FIGURES: Final = ("AS_pooled", "speedup_gmean", "subgraph_correct", "slower", "solved")


@dataclass(frozen=True)
class GroupFacts:
    """What is known of the graphs of a run, by task and name: their records, and themselves where they lie here."""

    records: Mapping[tuple[str, str], RecordedGraph] = field(default_factory=dict)
    graphs: Mapping[tuple[str, str], Graph] = field(default_factory=dict)

    @classmethod
    def of(cls, run: RecordedRun, tasks: RunTasks | None) -> GroupFacts:
        """The facts of a run. A graph that has changed since then tells nothing."""
        records = {(graph.task, graph.graph): graph for graph in run.graphs}
        here = {
            (task, name): graph
            for task, target in (tasks.found.items() if tasks is not None else ())
            for name, _, graph in target.graphs
        }
        same = {key: graph for key, graph in here.items() if _is_same(records.get(key), graph)}
        return cls(records, same)

    def group(self, by: str, result: GraphResult) -> str:
        """The group of one graph."""
        key = (result.task, result.name)
        record, graph = self.records.get(key), self.graphs.get(key)
        if by == "difficulty":
            return _difficulty(graph)
        traits = Traits.of(f"{result.task}/{result.name}", graph, record.regime if record is not None else None)
        return {"domain": traits.domain, "dtype": traits.dtype, "kind": traits.kind, "regime": traits.regime}[by]


def group_scores(
    results: Iterable[GraphResult], by: str, facts: GroupFacts, params: ScoreParams
) -> dict[str, dict[str, Any]]:
    """Group -> its numbers of graphs and tasks, and its figures with intervals. "unknown" comes last."""
    groups: dict[str, list[GraphResult]] = {}
    for result in results:
        groups.setdefault(facts.group(by, result), []).append(result)
    return {group: _scored(groups[group], params) for group in sorted(groups, key=_place)}


def _scored(results: Sequence[GraphResult], params: ScoreParams) -> dict[str, Any]:
    figures: dict[str, Figure] = dict.fromkeys(_FIGURES, Figure(None, None, None))
    scored = 0
    try:
        found = score_benchmark(results, params)
    except ScoreError:  # every graph of the group failed for a reason that is not the candidate's
        pass
    else:
        known = {**found.figures, **solved_figures(results, params)}
        figures = {name: known[name] for name in _FIGURES}
        scored = sum(len(score.scored) for score in found.tasks.values())
    assert "AS_pooled" in FIGURES, "AS of a group is that over all its graphs, as AS of the document"
    return {
        "graphs": len(results),
        "scored": scored,
        "tasks": len({result.task for result in results}),
        "AS": figures["AS_pooled"].value,
        **{name: {"value": own.value, "low": own.low, "high": own.high} for name, own in figures.items()},
    }


def _is_same(record: RecordedGraph | None, graph: Graph) -> bool:
    return record is not None and record.graph_hash == graph.content_hash


def _difficulty(graph: Graph | None) -> str:
    if graph is None:
        return UNKNOWN
    count = len(graph.statements())
    return next((words for most, words in _SIZES if count <= most), _LARGER)


def _place(group: str) -> tuple[bool, int, str]:
    return group == UNKNOWN, _ORDER.index(group) if group in _ORDER else 0, group
