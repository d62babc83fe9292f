"""A picture of a graph: operations in layers from the inputs down to the outputs, coloured by what they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from passnet.graph import Graph
from passnet.graph.text.program import refs_of
from passnet.op_classes import ATEN_VIEWS, LIBRARY, REDUCTIONS
from passnet.report.charts import CHARACTER
from passnet.report.marks import Drawing, Mark, path, rect, shown, text

MOST_NODES: Final = 120
_BOX, _GAP_X, _GAP_Y, _EDGE = 34, 18, 26, 8
_SWEEPS: Final = 4
# The room of an edge that passes a layer, beside the boxes of that layer.
_WAY: Final = "way"
_WAY_WIDTH: Final = 4
_LONGEST: Final = 24


@dataclass
class _Node:
    name: str
    detail: str
    kind: str
    sources: list[int] = field(default_factory=list)
    layer: int = 0
    x: float = 0.0

    @property
    def width(self) -> float:
        return _WAY_WIDTH if self.kind == _WAY else max(len(self.name), len(self.detail)) * CHARACTER + 16


def draw(graph: Graph) -> Drawing | None:
    """The picture. None for a graph that is too large to be read as one."""
    program = graph.program
    used = {ref.index for op in program.ops for ref in refs_of((op.args, tuple(v for _, v in op.kwargs)))}
    used |= {ref.index for ref in refs_of(program.outputs)}
    if len(used) + len(program.ops) > MOST_NODES:
        return None
    nodes = _nodes(graph, used)
    outputs = [ref.index for ref in refs_of(program.outputs)]
    _layer(nodes)
    links = _with_ways(nodes)
    _place(nodes, links)
    kinds: dict[str, int] = defaultdict(int)
    for op in program.ops:
        kinds[op.leaf] += 1
    words = ", ".join(f"{count} {name}" for name, count in kinds.items())
    width = max(node.x + node.width / 2 for node in nodes.values()) + _EDGE
    height = (max(node.layer for node in nodes.values()) + 1) * (_BOX + _GAP_Y) + 12
    described = f"{len(graph.specs)} inputs; operations: {words}; {len(outputs)} outputs"
    return Drawing(
        f"Graph {graph.name}", described, width, height, [*_edges(nodes, links), *_boxes(nodes, frozenset(outputs))]
    )


def _nodes(graph: Graph, used: set[int]) -> dict[int, _Node]:
    """The parameters that are used and all operations, by value index."""
    program = graph.program
    specs = {spec.name: spec for spec in graph.specs}
    nodes: dict[int, _Node] = {}
    for index, name in enumerate(program.params):
        if index in used:
            spec = specs[name]
            detail = f"{spec.dtype}[{', '.join(map(str, spec.shape))}]"
            nodes[index] = _Node(_short(name.strip("_").split("_modules_")[-1]), _short(detail), "input")
    for place, op in enumerate(program.ops):
        sources = [ref.index for ref in refs_of((op.args, tuple(value for _, value in op.kwargs)))]
        # The function of this name copies its windows.
        kind = "pointwise" if op.leaf == "unfold" and op.kind != "method" else kind_of(op.leaf)
        nodes[len(program.params) + place] = _Node(_short(op.leaf), _short(op.name), kind, sources)
    return nodes


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def kind_of(leaf: str) -> str:
    """The class of an operation by its bare name: `library`, `reduction`, `view` or `pointwise`."""
    if leaf in LIBRARY:
        return "library"
    if leaf in REDUCTIONS or "norm" in leaf or "softmax" in leaf:
        return "reduction"
    return "view" if leaf in ATEN_VIEWS or leaf in ("getitem", "getattr", "contiguous", "to") else "pointwise"


def _layer(nodes: Mapping[int, _Node]) -> None:
    """Layers by the longest way from an input."""
    users: dict[int, list[int]] = defaultdict(list)
    for index, node in nodes.items():
        for source in node.sources:
            users[source].append(index)
            node.layer = max(node.layer, nodes[source].layer + 1)
    for index, node in nodes.items():  # an input stands just above its first user
        if node.kind == "input" and users[index]:
            node.layer = min(nodes[user].layer for user in users[index]) - 1


def _with_ways(nodes: dict[int, _Node]) -> dict[int, list[int]]:
    """Node -> what it hangs on, in the layer above. A long edge has a place in each layer, so no box hides it."""
    links: dict[int, list[int]] = {index: [] for index in nodes}
    ways: dict[tuple[int, int], int] = {}
    for index, node in list(nodes.items()):
        for source in dict.fromkeys(node.sources):
            last = source
            for layer in range(nodes[source].layer + 1, node.layer):
                if (source, layer) not in ways:
                    ways[source, layer] = way = max(nodes) + 1
                    nodes[way] = _Node("", "", _WAY, layer=layer)
                    links[way] = [last]
                last = ways[source, layer]
            links[index].append(last)
    return links


def _place(nodes: Mapping[int, _Node], links: Mapping[int, Sequence[int]]) -> None:
    """Places in a layer by the mean of their neighbours."""
    users: dict[int, list[int]] = defaultdict(list)
    for index, sources in links.items():
        for source in sources:
            users[source].append(index)
    layers: dict[int, list[int]] = defaultdict(list)
    for index, node in nodes.items():
        layers[node.layer].append(index)
    for layer in layers.values():
        _spread(nodes, layer)
    for _ in range(_SWEEPS):
        for neighbours in (links, users):
            for layer in layers.values():
                wanted = {
                    index: _mean([nodes[n].x for n in neighbours.get(index, ())], nodes[index].x) for index in layer
                }
                layer.sort(key=wanted.__getitem__)
                _spread(nodes, layer, wanted)
    shift = min(node.x - node.width / 2 for node in nodes.values()) - _EDGE
    for node in nodes.values():
        node.x -= shift


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _spread(nodes: Mapping[int, _Node], layer: Sequence[int], wanted: Mapping[int, float] | None = None) -> None:
    """Boxes side by side in this order, as near to where they are wanted as there is room."""
    end = float("-inf")
    for index in layer:
        node = nodes[index]
        place = wanted[index] if wanted is not None else 0.0
        node.x = max(place, end + _GAP_X + node.width / 2)
        end = node.x + node.width / 2
    if wanted is None:
        return
    drift = _mean([nodes[index].x - wanted[index] for index in layer], 0.0)
    for index in layer:
        nodes[index].x -= drift


def _top(node: _Node) -> float:
    return 6 + node.layer * (_BOX + _GAP_Y)


def _edges(nodes: Mapping[int, _Node], links: Mapping[int, Sequence[int]]) -> list[Mark]:
    marks = []
    for index, sources in links.items():
        node = nodes[index]
        for source in sources:
            marks.append(_curve(nodes[source].x, _top(nodes[source]) + _BOX, node.x, _top(node)))
        if node.kind == _WAY:
            marks.append(_curve(node.x, _top(node), node.x, _top(node) + _BOX))
    return marks


def _curve(x: float, start: float, to_x: float, end: float) -> Mark:
    middle = (start + end) / 2
    a, b = shown(x), shown(to_x)
    return path("edge", f"M{a} {shown(start)}C{a} {shown(middle)} {b} {shown(middle)} {b} {shown(end)}")


def _boxes(nodes: Mapping[int, _Node], outputs: frozenset[int]) -> list[Mark]:
    marks: list[Mark] = []
    for index, node in nodes.items():
        if node.kind == _WAY:
            continue
        left, top = node.x - node.width / 2, _top(node)
        kind = f"node {node.kind}{' output' if index in outputs else ''}"
        result = ", an output" if index in outputs else ""
        marks += [
            rect(kind, left, top, node.width, _BOX, f"{node.name} ({node.detail}){result}"),
            text("op", node.x, top + 14, node.name, anchor="middle"),
            text("small", node.x, top + 28, node.detail, anchor="middle"),
        ]
    return marks
