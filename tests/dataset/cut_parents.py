"""Parents to cut (graphs written as text, captured models, the bundled graphs) and what they compute, found apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import fx

from passnet.dataset.capture.model import capture_model
from passnet.dataset.cut.parent import Parent, ParentUnfit, Span
from passnet.dataset.models.registry import source
from passnet.graph import Graph, TensorSpec, find_graphs

TASKS = Path(__file__).resolve().parents[2] / "data" / "tasks"


def written(body: str, outputs: str, /, *, method: str = "real", **tensors: torch.Tensor) -> Graph:
    """A graph of statements, one a line; tensors by parameter name."""
    lines = "\n".join(f"        {line.strip()}" for line in body.strip().splitlines())
    text = (
        "import torch\n\nclass GraphModule(torch.nn.Module):\n\n"
        f"    def forward(self, {', '.join(tensors)}):\n{lines}\n        return ({outputs},)\n"
    )
    specs = tuple(TensorSpec.from_tensor(name, value) for name, value in tensors.items())
    return Graph(name="toy", source=text, specs=specs, meta={"framework": "torch", "capture_method": method})


def normal(*shape: int) -> torch.Tensor:
    """Random numbers, the same each time for a shape."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


@cache
def model(library: str, name: str) -> Graph:
    """The first graph of a real model; skips where its library is missing."""
    # Asked without importing: timm needs the schemas of torchvision, which its source declares first.
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    _, graphs = capture_model(source(library), name)
    return graphs[0]


@cache
def bundled() -> list[Graph]:
    """The smallest graph of each bundled task."""
    tasks = [[Graph.read(path) for path in find_graphs(task)] for task in sorted(TASKS.iterdir()) if task.is_dir()]
    return [min(graphs, key=lambda graph: graph.nbytes) for graphs in tasks]


def spans_of(parent: Parent, ranges: Sequence[tuple[int, int]], **options: Any) -> list[Span]:
    """The ranges that can be snapped, each border once."""
    found: dict[tuple[int, int], Span] = {}
    for start, end in ranges:
        try:
            span = parent.snapped(start, end, growth=8, **options)
        except ParentUnfit:
            continue
        found[span.start, span.end] = span
    return list(found.values())


class Witness(fx.Interpreter):
    """Runs a graph by itself and copies, for each span, what entered as it began and what it had made as it ended."""

    def __init__(self, graph: Graph, spans: Sequence[Span]) -> None:
        super().__init__(graph.module(propagated=False), garbage_collect_values=False)
        self.spans = spans
        self.entered: dict[tuple[int, int], list[torch.Tensor]] = {}
        self.left: dict[tuple[int, int], list[torch.Tensor]] = {}
        with torch.no_grad():
            self.run(*graph.inputs(0))

    def run_node(self, n: fx.Node) -> Any:
        for span in self.spans:
            if span.inside[0].name == n.name:
                self.entered[span.start, span.end] = self._copies(span.before)
        value = self.env[n] = super().run_node(n)
        for span in self.spans:
            if span.inside[-1].name == n.name:
                self.left[span.start, span.end] = self._copies(span.after)
        return value

    def _copies(self, nodes: Sequence[fx.Node]) -> list[torch.Tensor]:
        values = {node.name: value for node, value in self.env.items()}
        return [values[node.name].clone() for node in nodes]
