"""The work of a build's forked children: one model, one full graph, or one piece. Each gives bytes of JSON."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from passnet.dataset.capture.record import peak_memory_mb
from passnet.dataset.capture.targets import Model
from passnet.dataset.models import torchvision_shim
from passnet.dataset.pipeline.workfiles import graph_from_json, graph_to_json, packed

if TYPE_CHECKING:
    from passnet.dataset.pipeline.whole_graphs import WholeGraph

Job = Callable[[], bytes]


# Imports that every unit would otherwise do itself.
_IMPORTED = (
    "torch._dynamo",
    "torch._inductor.compile_fx",
    "passnet.dataset.capture.model",
    "passnet.dataset.cut.decompose",
    "passnet.dataset.vary.generalise",
    "passnet.graph.values.propagation",
)


def prepare() -> None:
    """Import all of that in the process that forks, and keep torch at one thread."""
    torch.set_num_threads(1)
    torchvision_shim.prepare()
    for name in _IMPORTED:
        importlib.import_module(name)


def _measured(document: dict[str, Any]) -> bytes:
    """The bytes of a unit's file, with the unit's cost in this process."""
    cost = {"cpu_seconds": round(time.process_time(), 3), "peak_memory_mb": round(peak_memory_mb(), 1)}
    return packed({**document, **cost})


def capture(model: Model | WholeGraph) -> Job:
    """Capture one model, or take a whole graph that is there: its record and the graphs that passed the gates."""

    def job() -> bytes:
        from passnet.dataset.capture.model import capture_model
        from passnet.dataset.pipeline.whole_graphs import admit

        if isinstance(model, Model):
            record, graphs = capture_model(model.source, model.name)
        else:
            record, graphs = admit(model)
        return _measured({"record": record.model_dump(mode="json"), "graphs": [graph_to_json(g) for g in graphs]})

    return job


def cut(graph: Mapping[str, Any], ranges: Sequence[tuple[int, int]], kinds: Sequence[str]) -> Job:
    """Cut one full graph into verified pieces."""

    def job() -> bytes:
        from passnet.dataset.cut.decompose import decompose

        found = decompose(graph_from_json(graph), ranges, kinds=tuple(kinds))
        return _measured(
            {
                "pieces": [graph_to_json(piece) for piece in found.pieces],
                "drops": dict(sorted(found.drops.items())),
                "seconds": {kind: round(seconds, 3) for kind, seconds in sorted(found.seconds.items())},
            }
        )

    return job


def vary(piece: Mapping[str, Any], dtypes: Sequence[str], shapes: Sequence[tuple[int, int]]) -> Job:
    """All variants of a piece that run."""

    def job() -> bytes:
        from passnet.dataset.vary.generalise import generalise

        found = generalise(graph_from_json(piece), dtypes=tuple(dtypes), shapes=tuple(shapes))
        return _measured(
            {
                "variants": [graph_to_json(graph) for graph in found.variants],
                "drops": dict(sorted(found.drops.items())),
            }
        )

    return job
