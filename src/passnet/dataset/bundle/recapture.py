"""Captures the graphs of the bundled tasks again and writes them in the published layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from passnet.dataset.bundle.cutting import TaskPiece, cut_range, find_ops, verify
from passnet.dataset.bundle.sources import BundleSource
from passnet.dataset.bundle.tasks import BundledTask
from passnet.dataset.capture.dynamo import Captured, capture_graphs
from passnet.dataset.capture.nodes import op_name
from passnet.dataset.layout import DTYPES
from passnet.dataset.models.building import quiet
from passnet.errors import UsageError
from passnet.graph import Graph, TensorSpec
from passnet.graph.task import GRAPH_LIST, PASS_DIR
from passnet.logs import logger

_TAGS = {"timm": "computer_vision", "transformers": "nlp"}
log = logger(__name__)


@dataclass(frozen=True)
class RecapturedVariant:
    """One graph of a task and the place in the task's directory where it belongs."""

    graph: Graph
    path: Path


def variants(task: BundledTask, dtypes: Iterable[str] = DTYPES) -> list[RecapturedVariant]:
    """Capture `task` at each of its dtypes and shapes. Every piece is proved equal to the parent's values.

    Raises UsageError when a model library is missing or does not write the block as the table does.
    """
    return [_variant(task, dtype, index) for dtype in dtypes for index in range(len(task.shapes))]


def _variant(task: BundledTask, dtype: str, index: int) -> RecapturedVariant:
    shape = task.shapes[index]
    piece = find_piece(capture_source(task.source, dtype, shape), task.ops)
    verify(piece)
    graph = _graph(task.source, piece, dtype)
    home = Path("graphs", dtype, str(index), "samples", task.source.library, task.source.model)
    return RecapturedVariant(graph, home / "_decomposed" / graph.name)


def capture_source(source: BundleSource, dtype: str, shape: tuple[int, int]) -> list[Captured]:
    """The graphs of one model at one dtype and (batch, size)."""
    torch_dtype: torch.dtype = getattr(torch, dtype)
    with quiet():
        return capture_graphs(source.build(torch_dtype, image=shape[1]), source.arguments(shape, torch_dtype))


def find_piece(graphs: Sequence[Captured], ops: Sequence[str]) -> TaskPiece:
    """The first place in the first graph where the operators follow one another, cut out."""
    for captured in graphs[:-1]:
        try:
            start, end = find_ops(captured.module, ops)
        except UsageError:
            continue
        return cut_range(captured, start, end)
    return cut_range(graphs[-1], *find_ops(graphs[-1].module, ops))


def _graph(source: BundleSource, piece: TaskPiece, dtype: str) -> Graph:
    inputs = [str(node.target) for node in piece.module.graph.nodes if node.op == "placeholder"]
    specs = tuple(TensorSpec.from_tensor(name, value) for name, value in zip(inputs, piece.inputs, strict=True))
    meta = {
        "framework": "torch",
        "num_devices_required": 1,
        "num_nodes_required": 1,
        "dynamic": False,
        "model_name": source.model,
        "source": source.library,
        "heuristic_tag": _TAGS[source.library],
        "torch_version": torch.__version__.split("+")[0],
        "captured_dtype": dtype,
        "op_names": [op_name(node) for node in piece.module.graph.nodes if node.op.startswith("call_")],
    }
    name = f"{source.model}_start{piece.start}_end{piece.end}_0"
    graph = Graph.from_fx(piece.module, specs, name=name, meta=meta)
    return replace(graph, sources={f"samples/{source.library}/{source.model}": [[piece.start, piece.end]]})


def write_tasks(out: Path, tasks: Iterable[BundledTask]) -> list[Path]:
    """Write each task's graphs and `graph_list.txt` below `out`. Its `pass_dir` is made, or left as it is.

    Existing graphs are replaced. Returns the task directories. The same versions of the libraries on the same kind of
    processor give the same files.
    """
    written = []
    for task in tasks:
        directory = out / task.name
        found = variants(task)
        for variant in found:
            variant.graph.write(directory / variant.path, overwrite=True)
            log.info("%s %s", task.name, variant.path)
        text = "".join(f"{variant.path.as_posix()}\n" for variant in found)
        (directory / GRAPH_LIST).write_text(text, encoding="utf-8")
        (directory / PASS_DIR).mkdir(exist_ok=True)
        written.append(directory)
    return written
