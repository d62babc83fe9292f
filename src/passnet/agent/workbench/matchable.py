"""The statements of a graph that a pattern can match, and their names: the rewriter's own view, before any rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import fx

from passnet.graph import Graph
from passnet.op_classes import LIBRARY
from passnet.rewrite.canonical.normalize import normalize


@dataclass(frozen=True)
class MatchableRow:
    """One statement. `reason` says why no pattern can match it. None when a pattern can.

    `run` is the number of its run of matchable statements. One pattern may cover a run.
    """

    index: int
    name: str
    operation: str
    reason: str | None
    library: bool
    run: int | None


def matchable(graph: Graph, device: str) -> list[MatchableRow]:
    """A row for each statement, in order."""
    module = graph.module(device, propagated=False)
    nodes = [node for node in module.graph.nodes if node.op in ("call_function", "call_method")]
    return list(_rows(nodes))


def _rows(nodes: Sequence[fx.Node]) -> list[MatchableRow]:
    rows: list[MatchableRow] = []
    run, open_run = -1, False
    for index, node in enumerate(nodes):
        op = normalize(node)
        name = op.name if op is not None else str(node.target)
        reason = _reason(node)
        library = name in LIBRARY or name == "convolution"
        if reason is None and not library:
            run, open_run = (run if open_run else run + 1), True
        else:
            open_run = False
        rows.append(MatchableRow(index, node.name, name, reason, library, run if open_run else None))
    return rows


def _reason(node: fx.Node) -> str | None:
    """The reason why a pattern cannot match a node. None when it can.

    A pattern can match pure calls, and in-place calls on values that the graph itself has made.
    """
    op = normalize(node)
    if op is None:
        return "no operation of torch"
    if op.random:
        return "draws random numbers"
    if (op.inplace or op.name == "setitem") and not any(written.op == "placeholder" for written in op.writes):
        return None
    if op.writes:
        return "writes to " + ", ".join(dict.fromkeys(written.name for written in op.writes))
    return None if op.pure else "changes how later calls behave"
