"""A full graph as ranges see it: its operators in order, what crosses the borders of a range, and equal ranges."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch.utils.flop_counter import FlopCounterMode

from passnet.dataset.capture.nodes import call_nodes, op_name
from passnet.dataset.cut.borders import borders, standalone, writes
from passnet.graph import Graph, TensorSpec, fake_inputs, propagate

# Operators that only pick one part of several results of another operator.
_ITEM = "getitem"


class ParentUnfit(Exception):
    """Why a range gives no piece. The message is a short reason that reports count."""


@dataclass(frozen=True)
class Span:
    """Operators [start, end) of a parent with the values that cross their borders. `before`, `after`: in
    graph order.
    """

    start: int
    end: int
    inside: tuple[fx.Node, ...]
    before: tuple[fx.Node, ...]
    after: tuple[fx.Node, ...]

    @property
    def writes(self) -> bool:
        """Whether any operator inside works in place."""
        return any(writes(node) for node in self.inside)

    @property
    def op_names(self) -> list[str]:
        """The published names of the operators that are of use to an output."""
        return [op_name(node) for node in call_nodes(self.module())]

    def module(self) -> fx.GraphModule:
        """The span as a module."""
        return standalone(self.inside, self.before, self.after)


class Parent:
    """A full graph, its module with shapes on every node ("val" of the nodes' meta), and its operators in order."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.module = graph.module(propagated=False)
        self.flops = self._propagate()
        self.calls = call_nodes(self.module)
        self._order = {node: place for place, node in enumerate(self.module.graph.nodes)}
        self._index = {node: place for place, node in enumerate(self.calls)}
        placeholders = [node for node in self.module.graph.nodes if node.op == "placeholder"]
        self._specs = dict(zip(placeholders, graph.specs, strict=True))

    def _propagate(self) -> float:
        """Floating point operations of one run, where shapes could be propagated."""
        with FlopCounterMode(display=False) as counter:
            propagate(self.module, fake_inputs(self.graph.specs))
        return float(counter.get_total_flops())

    def spec(self, node: fx.Node) -> TensorSpec | None:
        """The stored spec of a node that is an input of the parent, under the name it had before it was renamed."""
        return self._specs.get(node)

    def span(self, start: int, end: int) -> Span:
        """The range as it is, with any values crossing its borders."""
        inside = self.calls[start:end]
        before, after = borders(inside, self._order)
        return Span(start, end, tuple(inside), tuple(before), tuple(after))

    def snapped(self, start: int, end: int, *, growth: int, items_only: bool = False, constant: bool = False) -> Span:
        """The smallest range around [start, end) that only tensors enter and leave. With `constant` none may enter.

        If a tuple would cross, its producer or its readers are added: `chunk` stays with its `getitem`s. At most
        `growth` operators are added. With `items_only`, only such readers and the operator that they read are added.
        Errors: `ParentUnfit` when that does not help, when nothing is used after the range, or when shapes are unknown.
        """
        span, limit = self.span(start, end), end - start + growth
        while True:
            wider = self._widened(span)
            if wider == (span.start, span.end):
                break
            if wider[1] - wider[0] > limit:
                raise ParentUnfit(_border(next(node for node in (*span.before, *span.after) if not _is_tensor(node))))
            span = self.span(*wider)
        if items_only and span.end - span.start > end - start:
            _require_items(span)
        if not span.after:
            raise ParentUnfit("nothing is used after it")
        if not span.before and not constant:
            raise ParentUnfit("no inputs")
        return span

    def _widened(self, span: Span) -> tuple[int, int]:
        start, end = span.start, span.end
        for node in span.before:
            if not _is_tensor(node):
                start = min(start, self._place(node, node))
        for node in span.after:
            if not _is_tensor(node):
                end = max(end, *(self._place(user, node) + 1 for user in node.users))
        return start, end

    def _place(self, node: fx.Node, crossing: fx.Node) -> int:
        """Errors: `ParentUnfit` where no range could take the node in."""
        if node not in self._index:
            raise ParentUnfit(_border(crossing))
        return self._index[node]

    def key(self, span: Span, *, shapes: bool = True) -> str:
        """Equal for spans of one computation, with `shapes` on inputs of equal shapes and dtypes, in this process."""
        names = {node: _Name(f"in{place}") for place, node in enumerate(span.before)}
        lines = [_signature(node) for node in span.before] if shapes else []
        for place, node in enumerate(span.inside):
            target = node.target if isinstance(node.target, str) else id(node.target)
            arguments = fx.map_arg((node.args, node.kwargs), names.__getitem__)
            lines.append(f"{node.op} {target} {arguments}")
            names[node] = _Name(f"op{place}")
        lines.append(" ".join(names[node] for node in span.after))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class _Name(str):
    """A text that prints without quotes inside containers."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _is_tensor(node: fx.Node) -> bool:
    """Errors: `ParentUnfit` when shape propagation stopped before this node."""
    if "val" not in node.meta:
        raise ParentUnfit("shapes are unknown")
    return isinstance(node.meta["val"], torch.Tensor)


def _border(node: fx.Node) -> str:
    return f"border is a {type(node.meta['val']).__name__}"


def _signature(node: fx.Node) -> str:
    value: Any = node.meta["val"]
    return f"{list(value.shape)} {value.dtype}"


def _require_items(span: Span) -> None:
    """One operator and readers of it, nothing else."""
    first, rest = span.inside[0], span.inside[1:]
    for node in rest:
        if op_name(node) != _ITEM or node.args[0] is not first:
            raise ParentUnfit(_border(first))


def sole_ranges(parent: Parent) -> Sequence[tuple[int, int]]:
    """Every operator as a range by itself."""
    return [(place, place + 1) for place in range(len(parent.calls))]
