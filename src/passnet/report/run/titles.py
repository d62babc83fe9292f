"""What a task is, in a few words: the model that its graphs are from, and its main operators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from passnet.authored import one_line
from passnet.bench.record.records import GraphRecord
from passnet.dataset.layout import place_of
from passnet.graph import Graph
from passnet.op_classes import CREATION, DROPOUTS, word_set
from passnet.report.run.drawing import kind_of
from passnet.report.run.names import shown_name
from passnet.report.run.sources import RunSources

_MOST_OPERATORS: Final = 3
_LONGEST: Final = 60
# Of equally rare operators, libraries and reductions tell most. Views and these tell nothing.
_RANK: Final = {"library": 0, "reduction": 1, "pointwise": 2}
_SAY_NOTHING: Final = (
    DROPOUTS | CREATION | word_set("clone detach type_as float half bfloat16 bool long setitem size dim")
)


def task_titles(sources: Sequence[RunSources]) -> dict[str, str]:
    """Printable name of a task -> what it is. A task of which nothing is known is left out."""
    first = [(task, records[0], run.graph(records[0])) for run in sources for task, records in run.run.by_task.items()]
    main = {task: _main(graph) for task, _, graph in first if graph is not None}
    common = Counter(leaf for leaves in main.values() for leaf in leaves)
    found: dict[str, str] = {}
    for task, record, graph in first:
        title = _title(record, graph, _operators(main.get(task, []), common))
        if title:
            found.setdefault(shown_name(task), title)
    return found


def _title(record: GraphRecord, graph: Graph | None, leaves: Sequence[str]) -> str:
    model = _model(record, graph)
    operators = ", ".join(leaves)
    return ": ".join(filter(None, ("" if model in record.task else model, operators)))


def _model(record: GraphRecord, graph: Graph | None) -> str:
    """The piece of a model that the graph is, as its name says, else the model of its metadata."""
    place = place_of(record.graph)
    known = record.graph.rpartition("/")[2] if place.decomposed else place.model
    said = graph.meta.get("model_name") if graph is not None else None
    return one_line(known or (said if isinstance(said, str) else ""))[:_LONGEST]


def _main(graph: Graph) -> list[str]:
    """The operators that compute something, in the order of the graph."""
    leaves = dict.fromkeys(op.leaf for op in graph.statements())
    return [leaf for leaf in leaves if leaf not in _SAY_NOTHING and kind_of(leaf) in _RANK]


def _operators(main: Sequence[str], common: Mapping[str, int]) -> list[str]:
    """The operators that tell most, in the order of the graph: those of few tasks, then by their class."""
    rare = sorted(main, key=lambda leaf: (common[leaf], _RANK[kind_of(leaf)]))[:_MOST_OPERATORS]
    return [one_line(leaf)[:_LONGEST] for leaf in main if leaf in rare]
