"""A graph prepared for matching: in-place results threaded, every node in canonical form, an index by operation."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

import torch
from torch import fx

from passnet.rewrite.canonical import op_tables as operations
from passnet.rewrite.canonical.cache import Recall
from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.values import example_value

_RECALL = Recall()


@dataclass(frozen=True, slots=True)
class GraphIndex:
    """Canonical forms of a graph's nodes, their positions, and the nodes of each operation in graph order.

    `repeats` maps a call that repeats an earlier one to that one.
    """

    graph: fx.Graph
    ops: dict[fx.Node, CanonicalOp]
    position: dict[fx.Node, int]
    by_name: dict[str, list[fx.Node]]
    repeats: dict[fx.Node, fx.Node] = field(default_factory=dict)

    def same(self, left: fx.Node, right: fx.Node) -> bool:
        """Whether two nodes are one value: the same call, or one computed twice."""
        return left is right or self.repeats.get(left, left) is self.repeats.get(right, right)


def build_table(graph: fx.Graph) -> GraphIndex:
    """Normalise every node once. All rules share the result until one of them changes the graph."""
    ops: dict[fx.Node, CanonicalOp] = {}
    position: dict[fx.Node, int] = {}
    by_name: dict[str, list[fx.Node]] = {}
    for index, node in enumerate(graph.nodes):
        position[node] = index
        op = _RECALL.normalize(node)
        if op is not None:
            ops[node] = op
            by_name.setdefault(op.name, []).append(node)
    return GraphIndex(graph, ops, position, by_name)


def thread_in_place(graph: fx.Graph) -> None:
    """Let every later reader of a tensor that was changed in place read the result of the change.

    `y.add_(b); return y` and `y = y.add_(b); return y` are one computation with two graphs, because an in-place call
    returns its first argument. Afterwards only the second form occurs, so data flow shows the order of the changes.
    Item assignments return nothing. Until `unthread_items` they are calls that return the changed tensor. Copying into
    an item (`y[:2].copy_(b)`) is an assignment to it (`y[:2] = b`), and stays one.
    """
    for node in list(graph.nodes):
        _assign_copied(node)
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
    """Erase calls without effects and without users of their results."""
    for node in reversed(graph.nodes):
        if node.users or node.op in ("placeholder", "output", "call_module"):
            continue
        op = _RECALL.normalize(node)
        known = node.op != "call_method" or hasattr(torch.Tensor, str(node.target))
        if op is None or (op.pure and op.target is None and known):
            graph.erase_node(node)


def _assign_copied(node: fx.Node) -> None:
    """`item = y[...]; item.copy_(b)` becomes `y[...] = b` if nothing else uses the item.

    While a view of `y` stands between, data flow does not show that `y` is changed.
    """
    if node.op != "call_method" or node.target != "copy_" or node.users or len(node.args) != 2 or node.kwargs:
        return
    item = node.args[0]
    if not isinstance(item, fx.Node) or item.target is not operator.getitem or list(item.users) != [node]:
        return
    base, index = item.args
    if not isinstance(base, fx.Node) or not _is_part(index) or _reshaped_between(base, item, node):
        return
    node.op, node.target, node.args = "call_function", operator.setitem, (base, index, node.args[1])
    node.graph.erase_node(item)


def _is_part(index: object) -> bool:
    """Whether an index selects part of a tensor and makes no copy of it: a number alone may count results."""
    if not isinstance(index, tuple):
        return index is Ellipsis or _is_slice(index)
    return all(entry is None or entry is Ellipsis or type(entry) is int or _is_slice(entry) for entry in index)


def _is_slice(entry: object) -> bool:
    return isinstance(entry, slice) and not any(
        isinstance(end, fx.Node) for end in (entry.start, entry.stop, entry.step)
    )


def _reshaped_between(base: fx.Node, item: fx.Node, copy: fx.Node) -> bool:
    """Whether the base itself gets another shape after the item was taken, so that the same index would be another."""
    node = item.next
    while node is not copy:
        if base in node.args[:1] and getattr(node.target, "__name__", node.target) in operations.RESHAPES_IN_PLACE:
            return True
        node = node.next
    return False


def _changed(node: fx.Node) -> fx.Node | None:
    if node.op not in ("call_function", "call_method"):
        return None
    op = _RECALL.normalize(node)
    if op is None or not op.writes or not (op.inplace or op.name == "setitem"):
        return None
    target = op.writes[0]
    known = example_value(target)
    return target if known is None or isinstance(known, torch.Tensor) else None
