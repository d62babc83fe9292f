"""Cuts pieces out of a graph for Inductor: a range of statements as a graph, and how its inputs lie in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import fx

from passnet.errors import UsageError
from passnet.graph import Graph, TensorSpec, dtype_name, fake_inputs, propagate
from passnet.rewrite.canonical.effects import Effects
from passnet.rewrite.canonical.index import build_table


@dataclass(frozen=True)
class LoweredPiece:
    """A graph or a part of one, and the memory layout of its inputs there: strides in elements, in order.

    `off_device` are the inputs and outputs that do not lie on the device, such as numbers computed on the CPU.
    `dead` are the places of inputs whose memory nobody reads after the piece. What it writes there need not be written.
    """

    graph: Graph
    strides: tuple[tuple[int, ...], ...]
    off_device: tuple[str, ...] = ()
    dead: tuple[int, ...] = ()

    @classmethod
    def whole(cls, graph: Graph) -> LoweredPiece:
        """A whole graph as a piece. Its inputs are contiguous."""
        return cls(graph, tuple(tensor.stride() for tensor in fake_inputs(graph.specs)))


class Pieces:
    """Cuts parts out of one graph. Its shapes, and the memory layout of values on a device, are found once."""

    def __init__(self, graph: Graph, device: str = "cpu") -> None:
        from passnet.dataset.cut.parent import Parent

        self._graph = graph
        self._parent = Parent(graph)
        self._device = device
        self._values = _values(graph, device)
        self._effects = Effects(build_table(self._parent.module.graph))

    def cut(self, first: int | None, last: int | None) -> LoweredPiece:
        """Statements first..last as a graph of its own. The range grows if a tuple would cross its borders.

        None means the first and the last statement of the graph. Raises UsageError when there is no such range, or when
        it is no graph of its own.
        """
        from passnet.dataset.cut.parent import ParentUnfit

        count = len(self._graph.statements())
        begin, end = first or 0, count - 1 if last is None else last
        if not 0 <= begin <= end < count:
            raise UsageError("no such range of statements", expected=f"0 <= first <= last <= {count - 1}",
                             found=f"{begin} to {end}")  # fmt: skip
        try:
            span = self._parent.snapped(begin, end + 1, growth=count, constant=True)
        except ParentUnfit as error:
            raise UsageError(f"statements {begin} to {end} are no graph of their own: {error}") from error
        specs, strides = [], []
        for node in span.before:
            value = node.meta["val"]
            known = self._parent.spec(node)
            specs.append(known or TensorSpec(node.name, tuple(value.shape), dtype_name(value.dtype)))
            strides.append(self._stride(node.name, value))
        name = f"{self._graph.name}[{begin}:{end + 1}]"
        off_device = tuple(node.name for node in (*span.before, *span.after) if self._is_off_device(node.name))
        dead = tuple(place for place, node in enumerate(span.before) if span.writes and self._dies(node, span.inside))
        return LoweredPiece(Graph.from_fx(span.module(), tuple(specs), name=name), tuple(strides), off_device, dead)

    def _dies(self, value: fx.Node, inside: Sequence[fx.Node]) -> bool:
        """Whether nothing after these statements can see the memory of a value: no output, and no view of it."""
        nodes = list(value.graph.nodes)
        after = set(nodes[nodes.index(inside[-1]) + 1 :])
        shared = [node for node in nodes if self._effects.share_storage(node, value)]
        return not any(node.op in ("placeholder", "get_attr") or not after.isdisjoint(node.users) for node in shared)

    def is_off_device(self, place: int) -> bool:
        """Whether a statement takes or gives a value that does not lie on the device."""
        node = self._parent.calls[place]
        return any(self._is_off_device(each.name) for each in (node, *node.all_input_nodes))

    def _is_off_device(self, name: str) -> bool:
        return name in self._values and self._values[name].device.type != self._device

    def _stride(self, name: str, on_cpu: torch.Tensor) -> tuple[int, ...]:
        """The device decides which layout an operator of a library chooses.

        Only a device of this machine can show it.
        """
        known = self._values if torch.cuda.is_available() else {}
        return tuple(known.get(name, on_cpu).stride())


def _values(graph: Graph, device: str) -> dict[str, torch.Tensor]:
    """The values, by name, of a graph whose inputs lie on a device other than the CPU."""
    if device == "cpu":
        return {}
    module = graph.module(device, propagated=False)
    propagate(module, fake_inputs(graph.specs, device))
    values = {node.name: node.meta.get("val") for node in module.graph.nodes}
    return {name: value for name, value in values.items() if isinstance(value, torch.Tensor)}
