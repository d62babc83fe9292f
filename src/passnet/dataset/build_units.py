"""What the forked children of a build compute: one model, one full graph, or one piece; bytes of JSON each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from passnet.dataset.capture_run import Model
from passnet.dataset.model_record import peak_memory_mb
from passnet.dataset.workfiles import graph_from_json, graph_to_json, packed

Job = Callable[[], bytes]


def prepare() -> None:
    """Import, in the process that forks, what every unit would import itself; and keep torch at one thread."""
    from torch import _dynamo
    from torch._inductor import compile_fx

    from passnet.dataset import capture_model, decompose, generalise, torchvision_shim
    from passnet.graph import propagation

    torch.set_num_threads(1)
    torchvision_shim.prepare()
    assert all((_dynamo, compile_fx, capture_model, decompose, generalise, propagation))


def _measured(document: dict[str, Any]) -> bytes:
    """The bytes of a unit's file, with what the unit has cost this process."""
    cost = {"cpu_seconds": round(time.process_time(), 3), "peak_memory_mb": round(peak_memory_mb(), 1)}
    return packed({**document, **cost})


def capture(model: Model) -> Job:
    """Capture one model: its record and the graphs that passed the gates."""

    def job() -> bytes:
        from passnet.dataset.capture_model import capture_model

        record, graphs = capture_model(model.source, model.name)
        return _measured({"record": record.model_dump(mode="json"), "graphs": [graph_to_json(g) for g in graphs]})

    return job


def cut(graph: Mapping[str, Any], ranges: Sequence[tuple[int, int]], kinds: Sequence[str]) -> Job:
    """Cut one full graph into verified pieces."""

    def job() -> bytes:
        from passnet.dataset.decompose import decompose

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
        from passnet.dataset.generalise import generalise

        found = generalise(graph_from_json(piece), dtypes=tuple(dtypes), shapes=tuple(shapes))
        return _measured(
            {
                "variants": [graph_to_json(graph) for graph in found.variants],
                "drops": dict(sorted(found.drops.items())),
            }
        )

    return job
