"""Splits a graph in two near its middle, at a place where only tensors cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

_CALLS = frozenset({"call_function", "call_method"})


@dataclass(frozen=True)
class Halves:
    """Two modules that together compute the graph.

    The first takes the graph's inputs numbered `first_inputs`, and returns the values that cross. The second takes the
    values numbered `second_inputs` of all the graph's inputs, then the crossing values. It returns the graph's outputs.
    """

    first: fx.GraphModule
    second: fx.GraphModule
    first_inputs: tuple[int, ...]
    second_inputs: tuple[int, ...]


def halves(module: fx.GraphModule) -> Halves | None:
    """The split nearest to the middle of a module whose nodes carry "val" (see `Graph.module`).

    None when there are fewer than two operations or no place where only tensors cross.
    """
    calls = [node for node in module.graph.nodes if node.op in _CALLS]
    middle = len(calls) // 2
    for place in sorted(range(1, len(calls)), key=lambda place: (abs(place - middle), place)):
        crossing = _crossing(calls[:place])
        if crossing and all(isinstance(node.meta.get("val"), torch.Tensor) for node in crossing):
            return _split(module, calls[:place], crossing)
    return None


def _crossing(first: Sequence[fx.Node]) -> list[fx.Node]:
    members = set(first)
    return [node for node in first if any(user not in members for user in node.users)]


def _split(module: fx.GraphModule, first: Sequence[fx.Node], crossing: Sequence[fx.Node]) -> Halves:
    inputs = [node for node in module.graph.nodes if node.op == "placeholder"]
    members = set(first)
    rest = [node for node in module.graph.nodes if node.op in _CALLS and node not in members]
    output = next(node for node in module.graph.nodes if node.op == "output")
    available = [*inputs, *crossing]
    left = [node for node in inputs if any(user in members for user in node.users)]
    right = [node for node in available if any(user not in members for user in node.users)]
    return Halves(
        _module(left, first, tuple(crossing)),
        _module(right, rest, output.args[0]),
        tuple(available.index(node) for node in left),
        tuple(available.index(node) for node in right),
    )


def _module(inputs: Sequence[fx.Node], body: Sequence[fx.Node], outputs: Any) -> fx.GraphModule:
    graph = fx.Graph()
    copies = {node: graph.placeholder(node.name) for node in inputs}
    for node in body:
        copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output(fx.map_arg(outputs, copies.__getitem__))
    graph.lint()
    return fx.GraphModule(torch.nn.Module(), graph)
