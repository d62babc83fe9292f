"""A graph prepared for matching: in-place results threaded, every node in canonical form, an index by operation."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import fx

from passnet.rewrite.normalize import Op, normalize
from passnet.rewrite.values import example_value


@dataclass(frozen=True, slots=True)
class Table:
    """Canonical forms of a graph's nodes, their positions, and the nodes of each operation in graph order."""

    graph: fx.Graph
    ops: dict[fx.Node, Op]
    position: dict[fx.Node, int]
    by_name: dict[str, list[fx.Node]]


def build_table(graph: fx.Graph) -> Table:
    """Normalise every node once; all rules share the result until one of them changes the graph."""
    ops: dict[fx.Node, Op] = {}
    position: dict[fx.Node, int] = {}
    by_name: dict[str, list[fx.Node]] = {}
    for index, node in enumerate(graph.nodes):
        position[node] = index
        op = normalize(node)
        if op is not None:
            ops[node] = op
            by_name.setdefault(op.name, []).append(node)
    return Table(graph, ops, position, by_name)


def thread_in_place(graph: fx.Graph) -> None:
    """Let every later reader of a tensor that was changed in place read the result of the change.

    `y.add_(b); return y` and `y = y.add_(b); return y` are one computation with two graphs: an in-place call returns
    its first argument itself. Afterwards only the second form occurs, so data flow shows the order of the changes.
    """
    position = {node: index for index, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        target = _changed(node)
        if target is None:
            continue
        for user in list(target.users):
            if position[user] > position[node]:
                user.replace_input_with(target, node)


def _changed(node: fx.Node) -> fx.Node | None:
    op = normalize(node)
    if op is None or not op.inplace or not op.writes:
        return None
    target = op.writes[0]
    known = example_value(target)
    return target if known is None or isinstance(known, torch.Tensor) else None
