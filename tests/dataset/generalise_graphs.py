"""Real and written graphs for the tests of variants, and what runs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import torch

from passnet.dataset.vary.generalise import Generalised, generalise
from passnet.graph import Graph, TensorSpec, find_graphs, tensors_of
from tests.dataset.dataset_corpora import FIXTURES, TASKS

TASK_NAMES = tuple(sorted(path.name for path in TASKS.iterdir()))
CAPTURED = tuple(sorted(path.name for path in (FIXTURES / "captured").iterdir()))


@cache
def bundled(task: str, dtype: str = "float32", number: int = 0) -> Graph:
    """One of the graphs of a bundled task, captured at this dtype; `number` 1 is at other sizes."""
    return Graph.read(find_graphs(TASKS / task / "graphs" / dtype / str(number))[0])


@cache
def captured(name: str) -> Graph:
    """A piece of a shrunken transformers model."""
    return Graph.read(FIXTURES / "captured" / name)


@cache
def all_variants(graph: Graph) -> Generalised:
    """`generalise` at its defaults, once for all tests."""
    return generalise(graph)


def real_graphs() -> list[Graph]:
    """The float32 originals of all bundled tasks, and the captured pieces."""
    return [*(bundled(task) for task in TASK_NAMES), *(captured(name) for name in CAPTURED)]


def spec(name: str, *shape: int, dtype: str = "float32", **fields: Any) -> TensorSpec:
    """A spec, of standard normal data if floating."""
    moments = {"mean": 0.0, "std": 1.0} if "float" in dtype else {}
    return TensorSpec(name=name, shape=shape, dtype=dtype, **(moments | fields))


def written(specs: Sequence[TensorSpec], *body: str, **meta: object) -> Graph:
    """A graph of these lines."""
    head = "import torch\n\nclass GraphModule(torch.nn.Module):\n\n"
    lines = "".join(f"        {line}\n" for line in body)
    source = f"{head}    def forward({', '.join(['self', *(one.name for one in specs)])}):\n{lines}"
    return Graph(name="written", source=source, specs=tuple(specs), meta={"framework": "torch", **meta})


def outputs_of(graph: Graph, seed: int = 0) -> list[torch.Tensor]:
    """The output tensors of one real run."""
    with torch.no_grad():
        return list(tensors_of(graph.module(propagated=False)(*graph.inputs(seed))))


def variant(found: Generalised, dtype: str, index: int) -> Graph:
    """The variant of a dtype and a shape index."""
    return next(one for one in found.variants if (one.meta["dtype"], one.meta["shape_index"]) == (dtype, index))


def unrepaired(graph: Graph, original: Graph) -> Graph:
    """A variant with the text that the original has."""
    return replace(graph, source=original.source)
