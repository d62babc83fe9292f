"""Ranges of a graph's operators as graphs of their own, cut by the data set's own code, with what enters them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from passnet.dataset.cut.parent import Parent, ParentUnfit
from passnet.dataset.cut.pieces import CutLimits, Verified, cut_all
from passnet.dataset.layout import SUBGRAPH
from passnet.diagnose.halving import Range
from passnet.graph import Graph

_LIMITS = CutLimits()
_NOT_OF_A_PIECE = frozenset({"op_names", "failed_gates", "dynamo_breaks"})


@dataclass(frozen=True)
class RangePiece:
    """Operators [start, end) as a graph. `verified`: by values, or by shapes alone. None: it is the whole graph."""

    place: Range
    ops: tuple[str, ...]
    graph: Graph
    verified: Verified | None


class Ranges:
    """The ranges of one graph. Each is cut once. Tensors alone cross a border, so a range may be widened a little."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.parent = Parent(graph)
        self.whole: Range = (0, len(self.parent.calls))
        self._cut: dict[Range, RangePiece | str] = {}

    def piece(self, place: Range) -> RangePiece | str:
        """The range as a graph that gave the same values as inside the whole. A text says why there is none."""
        if place == self.whole:
            ops = tuple(self.parent.span(*place).op_names)
            return RangePiece(place, ops, self.graph, None)
        try:
            span = self.parent.snapped(*place, growth=_LIMITS.growth)
        except ParentUnfit as reason:
            return str(reason)
        found = (span.start, span.end)
        if found not in self._cut:
            answer = cut_all(self.parent, [span], _LIMITS)[found]
            if isinstance(answer, str):
                self._cut[found] = answer
            else:
                ops = tuple(span.op_names)
                graph = replace(answer.graph, name=_name(found), meta=self._meta(ops), sources=self._sources(found))
                self._cut[found] = RangePiece(found, ops, graph, answer.verified)
        return self._cut[found]

    def _meta(self, ops: tuple[str, ...]) -> dict[str, object]:
        kept = {key: value for key, value in self.graph.meta.items() if key not in _NOT_OF_A_PIECE}
        return {**kept, "kind": SUBGRAPH, "op_names": list(ops)}

    def _sources(self, place: Range) -> dict[str, object] | None:
        """The places in the models, where each model has this graph at one place."""
        found: dict[str, object] = {}
        for origin, places in (self.graph.sources or {}).items():
            match places:
                case [[int(first), int(last)]] if last - first == self.whole[1]:
                    found[origin] = [[first + place[0], first + place[1]]]
        return found or None


def _name(place: Range) -> str:
    return f"start{place[0]}_end{place[1]}"
