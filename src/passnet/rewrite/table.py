"""A graph prepared for matching: in-place results threaded, every node in canonical form, an index by operation."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

import torch
from torch import fx

from passnet.rewrite import ops as operations
from passnet.rewrite.normalize import Op
from passnet.rewrite.recall import Recall
from passnet.rewrite.values import example_value

_RECALL = Recall()


@dataclass(frozen=True, slots=True)
class Table:
    """Canonical forms of a graph's nodes, their positions, and the nodes of each operation in graph order.

    `twins` maps a call that repeats an earlier one to that one.
    """

    graph: fx.Graph
    ops: dict[fx.Node, Op]
    position: dict[fx.Node, int]
    by_name: dict[str, list[fx.Node]]
    twins: dict[fx.Node, fx.Node] = field(default_factory=dict)

    def same(self, left: fx.Node, right: fx.Node) -> bool:
        """Whether two nodes are one value: the same call, or one computed twice."""
        return left is right or self.twins.get(left, left) is self.twins.get(right, right)


def build_table(graph: fx.Graph) -> Table:
    """Normalise every node once; all rules share the result until one of them changes the graph."""
    ops: dict[fx.Node, Op] = {}
    position: dict[fx.Node, int] = {}
    by_name: dict[str, list[fx.Node]] = {}
    for index, node in enumerate(graph.nodes):
        position[node] = index
        op = _RECALL.normalize(node)
        if op is not None:
            ops[node] = op
            by_name.setdefault(op.name, []).append(node)
    return Table(graph, ops, position, by_name)


def thread_in_place(graph: fx.Graph) -> None:
    """Let every later reader of a tensor that was changed in place read the result of the change.

    `y.add_(b); return y` and `y = y.add_(b); return y` are one computation with two graphs: an in-place call returns
    its first argument itself. Afterwards only the second form occurs, so data flow shows the order of the changes.
    Item assignments return nothing; they become calls that return what they changed, until `unthread_items`.
    """
    position = {node: index for index, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        if node.op == "call_function" and node.target is operator.setitem:
            node.target = operations.assign_item
            node.meta["val"] = example_value(node.args[0]) if isinstance(node.args[0], fx.Node) else None
        target = _changed(node)
        if target is None:
            continue
        for user in list(target.users):
            if position[user] > position[node]:
                user.replace_input_with(target, node)


def unthread_items(graph: fx.Graph) -> None:
    """Item assignments as captured graphs have them: later readers read the tensor itself again."""
    for node in graph.nodes:
        if node.target is operations.assign_item:
            node.replace_all_uses_with(node.args[0])
            node.target = operator.setitem
            node.meta.pop("val", None)


def drop_dead(graph: fx.Graph) -> None:
    """Erase calls without effects whose results nobody uses."""
    for node in reversed(graph.nodes):
        if node.users or node.op in ("placeholder", "output", "call_module"):
            continue
        op = _RECALL.normalize(node)
        known = node.op != "call_method" or hasattr(torch.Tensor, str(node.target))
        if op is None or (op.pure and op.target is None and known):
            graph.erase_node(node)


def _changed(node: fx.Node) -> fx.Node | None:
    if node.op not in ("call_function", "call_method"):
        return None
    op = _RECALL.normalize(node)
    if op is None or not op.writes or not (op.inplace or op.name == "setitem"):
        return None
    target = op.writes[0]
    known = example_value(target)
    return target if known is None or isinstance(known, torch.Tensor) else None
